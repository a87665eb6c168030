"""Preview: the accent bar with variant, sites, Reject and Accept over two linked views, before and after."""

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from inspector.gui.canvas.marks import Change
from inspector.gui.canvas.view import GraphView
from inspector.gui.combo import ComboBox
from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.picture import Picture
from inspector.gui.proposal import Proof, Proposal
from inspector.gui.theme import Measure, Size, Space
from inspector.gui.widgets import Elided, button, clear, glyph, label, row
from inspector.gui.words import plain_tip, say_text
from inspector.placement.verdict import Placement, Verdict

_SCALE = 0.9
"""Zoom of both panes at a site: full detail, with room for both neighbours."""


class PreviewView(QWidget):
    """Shows a `Proposal`.

    Signals:
        variant_asked: id of another variant.
        site_changed: index of the site that the panes show.
        accept_asked, reject_asked: the two answers.
        node_picked: `(node id or None, whether in the pane After)`.
    """

    variant_asked = Signal(str)
    site_changed = Signal(int)
    accept_asked = Signal()
    reject_asked = Signal()
    node_picked = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty view; call `show_proposal`."""
        super().__init__(parent)
        self._proposal: Proposal | None = None
        self.site = 0
        self.before, self.after = GraphView(overlays=False), GraphView(overlays=False)
        self.accept = button("", self.accept_asked.emit, role="primary")
        self.reject = button("", self.reject_asked.emit)
        self.why_off = Elided("", Role.SMALL, tone="second")
        self._bar = QFrame()
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._bar)
        self._variants = ComboBox()
        self._title = label("", Role.HEADLINE)
        self._kind = label("", Role.SMALL, tone="accent", weight=600)
        self._site = label("")
        self._previous = button("‹", lambda: self.step_site(-1))
        self._next = button("›", lambda: self.step_site(1))
        self._heads = (QHBoxLayout(), QHBoxLayout())
        self._linking = False
        self._cameras = {view: view.camera for view in (self.before, self.after)}
        self._build()
        self.retranslate()

    def _build(self) -> None:
        self._bar.setProperty("role", "preview-bar")
        self._line.setContentsMargins(Space.L, Space.XS, Space.L, Space.XS)
        self._line.setSpacing(Space.S)
        self._title.setContentsMargins(0, 0, Space.M, 0)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self._kind)
        names.addWidget(self._title)
        self._line.addLayout(names)
        controls = QHBoxLayout()
        controls.setSpacing(Space.S)
        controls.addWidget(self._variants)
        controls.addWidget(self.why_off, 1)
        self.why_off.setAlignment(Qt.AlignmentFlag.AlignRight)
        for widget in (self._previous, self._site, self._next, self.reject, self.accept):
            controls.addWidget(widget)
        self._variants.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._variants.setMinimumWidth(Size.FIELD)
        self._line.addLayout(controls, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        for head, view in zip(self._heads, (self.before, self.after), strict=True):
            split.addWidget(_pane(head, view))
        split.setSizes([1, 1])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(split, 1)
        self._variants.activated.connect(lambda: self.variant_asked.emit(str(self._variants.currentData())))
        self.before.nodePicked.connect(lambda node: self.node_picked.emit(node, False))
        self.after.nodePicked.connect(lambda node: self.node_picked.emit(node, True))
        self.before.viewportChanged.connect(lambda: self._link(self.before, self.after))
        self.after.viewportChanged.connect(lambda: self._link(self.after, self.before))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the controls below the title where both do not fit side by side."""
        super().resizeEvent(event)
        narrow = self.width() < Size.TWO_LINES_BELOW
        self._line.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self._kind.setText(self.tr("Preview"))
        self._variants.setAccessibleName(self.tr("Variant"))
        self._variants.setToolTip(self.tr("Ways to build the replacement"))
        self.reject.setText(self.tr("Reject"))
        self.reject.setToolTip(self.tr("Close the preview without a change (Esc)"))
        for step, name in ((self._previous, self.tr("Previous site")), (self._next, self.tr("Next site"))):
            step.setToolTip(name)
            step.setAccessibleName(name)
        self.before.setAccessibleName(self.tr("Before"))
        self.after.setAccessibleName(self.tr("After"))
        for view in (self.before, self.after):
            view.set_theme(look())
        if self._proposal is not None:
            self._show_state(self._proposal)

    def show_proposal(self, proposal: Proposal, picture: Picture) -> None:
        """Show *proposal*; *picture* is that of the model before."""
        old = self._proposal
        self._proposal = proposal
        fresh = old is None or old.after is not proposal.after
        if fresh:
            self.site = next((i for i, s in enumerate(proposal.sites) if s.preview is not None), 0)
            self.before.set_scene(picture.scene, picture.layout, placement=proposal.workspace.placement)
            self.after.set_scene(proposal.picture.scene, proposal.picture.layout, placement=proposal.placement_after)
            self.before.set_changes(dict.fromkeys(proposal.removed, Change.REMOVED))
            self.after.set_changes(dict.fromkeys(proposal.added, Change.ADDED))
        self.before.set_placement(proposal.workspace.placement)
        self.after.set_placement(proposal.placement_after)
        self._show_state(proposal)
        if fresh:
            # The panes have no size before the page was shown once.
            QTimer.singleShot(0, self, self._show_site)

    def leave(self) -> None:
        """Forget the proposal."""
        self._proposal = None

    def step_site(self, step: int) -> None:
        """Go to the next site with a rewrite, or with *step* -1 to the one before; wraps round."""
        if self._proposal is not None:
            usable = [i for i, site in enumerate(self._proposal.sites) if site.preview is not None]
            if usable:
                place = usable.index(self.site) if self.site in usable else 0
                self.show_site(usable[(place + step) % len(usable)])

    def show_site(self, index: int) -> None:
        """Centre both panes on the site *index*."""
        if self._proposal is not None and 0 <= index < len(self._proposal.sites):
            self.site = index
            self._show_state(self._proposal)
            self._show_site()
            self.site_changed.emit(index)

    def _show_site(self) -> None:
        proposal = self._proposal
        preview = proposal.sites[self.site].preview if proposal is not None and proposal.sites else None
        if proposal is None or preview is None:
            return
        # A chained preview may remove a node that an earlier site added; the panes show only the ends of the chain.
        removed = [node for node in preview.removed if node in proposal.removed]
        added = [node for node in preview.added if proposal.after.find_node(node) is not None]
        extents = (self.before.extent(removed), self.after.extent(added))
        # Both panes have the first node that changes at one height, as high as the taller side needs.
        room = min(self.before.view_size().height(), self.after.view_size().height())
        spare = room - max(e.height() for e in extents) * _SCALE
        top = max(spare / 2, Measure.ABOVE)
        self._linking = True
        for view, extent in zip((self.before, self.after), extents, strict=True):
            if not extent.isEmpty():
                view.show_at(extent, top, _SCALE)
            self._cameras[view] = view.camera
        self._linking = False

    def _show_state(self, proposal: Proposal) -> None:
        self._title.setText(say_text(proposal.rule.title))
        self._show_variants(proposal)
        for layout, name, placement in (
            (self._heads[0], self.tr("Before"), proposal.workspace.placement),
            (self._heads[1], self.tr("After"), proposal.placement_after),
        ):
            self._show_head(layout, name, placement)
        several = len(proposal.sites) > 1
        for widget in (self._previous, self._site, self._next):
            widget.setVisible(several)
        self._site.setText(self.tr("Site {n} of {all}").format(n=self.site + 1, all=len(proposal.sites)))
        count = len(proposal.previews)
        accept = self.tr("Accept all {n}").format(n=count) if count > 1 else self.tr("Accept")
        self.accept.setText(accept)
        reason = self.reason_off(proposal)
        self.accept.setEnabled(not reason)
        self.accept.setToolTip(plain_tip(reason) or self.tr("Take the rewrite as one undo step (Ctrl+Enter)"))
        self.why_off.setText(reason)
        self.why_off.setToolTip(plain_tip(reason))

    def reason_off(self, proposal: Proposal) -> str:
        """Why the proposal cannot be accepted now; empty when it can."""
        if not proposal.previews:
            return self.tr("The rewrite does not fit at any site.")
        failed = self.tr("Accept stays off: the outputs differ by more than the limit.")
        return {
            Proof.PASSED: "",
            Proof.RUNNING: self.tr("Accept is off until both stages have passed."),
            Proof.FAILED: failed,
            Proof.INCONCLUSIVE: self.tr("Accept stays off: the comparison proves nothing."),
            Proof.NO_RESULT: self.tr("Accept stays off: there is no result. Try again."),
        }[proposal.proof]

    def _show_variants(self, proposal: Proposal) -> None:
        self._variants.setVisible(len(proposal.variants) > 1)
        titles = [(v.id, say_text(v.title)) for v in proposal.rule.variants if v.id in proposal.variants]
        shown = [(self._variants.itemData(i), self._variants.itemText(i)) for i in range(self._variants.count())]
        if titles != shown:
            self._variants.clear()
            for variant, title in titles:
                self._variants.addItem(title, variant)
        self._variants.setCurrentIndex(self._variants.findData(proposal.variant))

    def _show_head(self, layout: QHBoxLayout, name: str, placement: Placement) -> None:
        clear(layout)
        layout.addWidget(label(name, Role.BODY, weight=600))
        for verdict in Verdict:
            count = placement.counts[verdict]
            if count or verdict is Verdict.CPU:
                layout.addLayout(row(glyph(verdict), label(str(count), weight=600), spacing=Space.XS))
        figures = (
            self.tr("%n segment(s)", "", len(placement.segments)),
            self.tr("%n crossing(s)", "", len(placement.crossings)),
        )
        layout.addWidget(Elided(" · ".join(figures), Role.SMALL, tone="second"), 1)

    def _link(self, source: GraphView, other: GraphView) -> None:
        """Let *other* follow: the same zoom, and its centre moved by as much as that of *source*."""
        now, was = source.camera, self._cameras[source]
        self._cameras[source] = now
        if self._linking:
            return
        self._linking = True
        size, space = source.view_size(), other.view_size()
        middle, before = (camera.seen(size).center() for camera in (now, was))
        centre = other.camera.seen(space).center() + middle - before
        other.set_camera(replace(other.camera, scale=now.scale).centred(centre, space))
        self._cameras[other] = other.camera
        self._linking = False


def _pane(head: QHBoxLayout, view: GraphView) -> QWidget:
    made = QWidget()
    bar = QWidget()
    bar.setProperty("role", "bar")
    bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    bar.setFixedHeight(Size.BREADCRUMB)
    head.setContentsMargins(Space.M, 0, Space.M, 0)
    head.setSpacing(Space.S)
    bar.setLayout(head)
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(bar)
    column.addWidget(view, 1)
    return made
