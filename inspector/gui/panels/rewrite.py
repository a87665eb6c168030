"""Rewrite: what the previewed rewrite gains and costs, what it relies on, what it adds, and the result per site."""

from collections import Counter
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout

from inspector.gui.fonts import Role
from inspector.gui.proposal import Proof, Proposal, Site
from inspector.gui.theme import Space
from inspector.gui.widgets import Page, button, caption, chip, frame, glyph, label, row, rule
from inspector.gui.words import (
    NONE,
    bytes_text,
    count_text,
    decisive_check,
    delta_text,
    figure,
    headline,
    safety_meaning,
    safety_name,
    say_text,
    status_name,
    verdict_name,
)
from inspector.placement.verdict import Placement, Standing, Verdict
from inspector.rewrite.preview import gain
from inspector.rewrite.rule import Safety
from inspector.verify.result import Status, Verification

_TONES = {Status.PASSED: "passed", Status.FAILED: "failed", Status.INCONCLUSIVE: "inconclusive"}
_WORST_FIRST = (Verdict.UNSUPPORTED, Verdict.UNKNOWN, Verdict.CPU)


class RewritePanel(Page):
    """Describes a `Proposal`.

    Signals:
        site_picked: index of the site whose row was clicked.
    """

    site_picked = Signal(int)

    def show_proposal(self, proposal: Proposal, site: int) -> None:
        """Describe *proposal*; *site* is the index of the one that the panes show."""
        self.restart()
        self.column.addLayout(row(label(say_text(proposal.rule.title), Role.IDENTITY, wrap=True)))
        approximate = proposal.rule.safety is Safety.APPROXIMATE
        safety = chip(safety_name(proposal.rule.safety), "failed" if approximate else "accent")
        self.column.addLayout(row(safety, None))
        self.sentence(safety_meaning(proposal.rule.safety))
        self._gains(proposal)
        self._preconditions(proposal, site)
        self._introduced(proposal)
        self._sites(proposal, site)
        self.column.addWidget(rule())
        text = self.tr("Accept adds one undo step, “{title}”. The file on disk stays as it is until you save.")
        self.sentence(text.format(title=say_text(proposal.rule.title)))
        self.close_page()

    def _gains(self, proposal: Proposal) -> None:
        target = proposal.workspace.target
        title = self.tr("What it changes on {march} {toolchain}")
        self.column.addLayout(caption(title.format(march=target.march, toolchain=target.toolchain)))
        change = gain(proposal.workspace.placement, proposal.placement_after)
        before, after = proposal.costs
        card, column = frame("card")
        grid = QGridLayout()
        grid.setVerticalSpacing(Space.XS)
        grid.setHorizontalSpacing(Space.M)
        grid.setColumnStretch(0, 1)
        right = Qt.AlignmentFlag.AlignRight
        for index, text in ((1, self.tr("before")), (2, self.tr("after")), (3, self.tr("change"))):
            grid.addWidget(label(text, Role.SMALL, tone="third"), 0, index, right)
        rows = (
            (self.tr("CPU nodes"), *_counts(*change.cpu), True),
            (self.tr("Unsupported nodes"), *_counts(*change.unsupported), True),
            (self.tr("Unknown nodes"), *_counts(*change.unknown), True),
            (self.tr("Segments"), *_counts(*change.segments), True),
            (self.tr("Bytes that cross"), *_sizes(*change.crossing_bytes), True),
            (self.tr("Widest, channels"), *_counts(before.widest_channels, after.widest_channels), False),
            (self.tr("Widest tensor"), *_sizes(before.widest_bytes, after.widest_bytes), False),
            (self.tr("MACs"), *_counts(before.macs, after.macs), False),
            (self.tr("Output bytes"), *_sizes(before.bytes, after.bytes), False),
        )
        for line, (name, was, now, delta, matters) in enumerate(rows, 1):
            tone = (
                "passed" if matters and delta.startswith("−") else "failed" if matters and delta[0] == "+" else "second"
            )
            grid.addWidget(label(name, wrap=True), line, 0)
            grid.addWidget(label(was, tone="second"), line, 1, right)
            grid.addWidget(label(now, weight=600), line, 2, right)
            grid.addWidget(label(delta, tone=tone, weight=600), line, 3, right)
        column.addLayout(grid)
        self.column.addWidget(card)
        self.sentence(
            self.tr("Widest, MACs and output bytes count the replaced nodes against their replacement."), "third"
        )

    def _preconditions(self, proposal: Proposal, site: int) -> None:
        preview = proposal.sites[site].preview if site < len(proposal.sites) else None
        if preview is None or not preview.match.preconditions:
            return
        met = preview.match.preconditions
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("Preconditions"), self.tr("{n} met").format(n=len(met))))
        for condition in met:
            mark = label("✓", tone="passed", weight=700)
            text = label(say_text(condition.text), wrap=True)
            line = row(mark, text, label(condition.found, Role.SMALL, mono=True))
            line.setStretch(1, 1)
            self.column.addLayout(line)

    def _introduced(self, proposal: Proposal) -> None:
        placement = proposal.placement_after
        kinds: Counter[tuple[str, Verdict, bool, str]] = Counter()
        for node_id in proposal.added:
            verdict = placement.verdicts[node_id]
            why = "" if verdict.verdict in (Verdict.BPU, Verdict.FOLDED) else headline(verdict)
            inferred = verdict.standing is Standing.INFERRED
            kinds[(proposal.after.node(node_id).op.name, verdict.verdict, inferred, why)] += 1
        if not kinds:
            return
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("Introduced nodes"), self._refused(proposal, placement)))
        for (op, kind, inferred, why), count in sorted(kinds.items(), key=lambda entry: entry[0]):
            self.column.addLayout(row(glyph(kind, inferred), label(f"{op} ×{count}"), None))
            if why:
                self.sentence(why)

    def _refused(self, proposal: Proposal, placement: Placement) -> str:
        verdicts = [placement.verdicts[node] for node in proposal.added]
        trouble = sum(decisive_check(v) is not None for v in verdicts)
        if not trouble:
            return self.tr("{n}, none with a problem").format(n=len(verdicts))
        return self.tr("{n}, {trouble} with a problem").format(n=len(verdicts), trouble=trouble)

    def _sites(self, proposal: Proposal, current: int) -> None:
        if len(proposal.sites) < 2:
            return
        self.column.addWidget(rule())
        can = self.tr("{n} of {all} can go").format(n=len(proposal.previews), all=len(proposal.sites))
        self.column.addLayout(caption(self.tr("Sites"), can))
        for index, site in enumerate(proposal.sites):
            text, tone = self.site_state(proposal, site)
            line, column = frame("soft" if index == current else "row", "accent" if index == current else "")
            name = button(site.label, partial(self.site_picked.emit, index), role="link")
            name.setEnabled(site.preview is not None)
            column.addLayout(row(name, None))
            moves = self.site_moves(proposal, site)
            if moves:
                column.addWidget(label(moves, Role.SMALL, tone="second", wrap=True))
            column.addWidget(label(text, Role.SMALL, tone=tone, wrap=True))
            self.column.addWidget(line)

    def site_moves(self, proposal: Proposal, site: Site) -> str:
        """Where a site runs before and after, and its widest tensor: `CPU → BPU · 320 ch`; empty when it is refused."""
        preview, before = site.preview, proposal.workspace.placement.verdicts
        if preview is None or preview.match.anchor not in before:
            return ""
        after = {
            proposal.placement_after.verdicts[n].verdict
            for n in preview.added
            if n in proposal.placement_after.verdicts
        }
        now = next((verdict for verdict in _WORST_FIRST if verdict in after), Verdict.BPU)
        parts = [f"{verdict_name(before[preview.match.anchor].verdict)} → {verdict_name(now)}"]
        if preview.cost_after.widest_channels is not None:
            parts.append(self.tr("{n} ch").format(n=preview.cost_after.widest_channels))
        return " · ".join(parts)

    def site_state(self, proposal: Proposal, site: Site) -> tuple[str, str]:
        """Result of one site as (text, tone)."""
        if site.preview is None:
            return (say_text(site.refusal.reason) if site.refusal is not None else NONE), "third"
        result = proposal.fragments.get(site.preview.match.anchor)
        if result is None:
            waiting = self.tr("waiting") if proposal.proof is Proof.RUNNING else self.tr("no result")
            return waiting, "second"
        return self._result(result), _TONES[result.status]

    def _result(self, result: Verification) -> str:
        largest = [diff.max_abs for diff in result.outputs if diff.max_abs is not None]
        if result.status is Status.PASSED and largest:
            text = self.tr("{status}, max abs {figure}")
            return text.format(status=status_name(result.status), figure=figure(max(largest)))
        return say_text(result.reason) if result.reason is not None else status_name(result.status)


def _counts(before: int | None, after: int | None) -> tuple[str, str, str]:
    return count_text(before), count_text(after), delta_text(before, after)


def _sizes(before: int | None, after: int | None) -> tuple[str, str, str]:
    if before is None or after is None:
        return bytes_text(before), bytes_text(after), NONE
    change = after - before
    sign = "+" if change > 0 else "−" if change else ""
    return bytes_text(before), bytes_text(after), f"{sign}{bytes_text(abs(change))}" if change else "0"
