"""`Kept`: how a document was left, as a value that outlives its model: what to bring back once the file is read again.

Used after a reload, a kill, and at the start of a session. Nodes are named by reference, because their ids are those of
one reading of the file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from PySide6.QtCore import QPointF

from inspector.gui.document import Document
from inspector.gui.overrides import Overrides
from inspector.gui.service import Choice
from inspector.gui.workbench import Workbench
from inspector.journal import Aim, Journal, Wish
from inspector.model.graph import Model
from inspector.model.reference import NodeRef, refer, resolve
from inspector.rewrite.recipe import RecipeStep, steps_of


@dataclass(frozen=True, slots=True)
class Sight:
    """What part of the graph is on screen.

    Attributes:
        scale: logical pixels per world unit.
        x: world x in the middle of the view.
        y: world y in the middle of the view.
    """

    scale: float
    x: float
    y: float


@dataclass(frozen=True)
class Kept:
    """How a document was left.

    Attributes:
        aim: target chosen.
        dims: sizes bound to dynamic dimensions.
        steps: accepted rewrites in order.
        groups: number of steps of each undo step.
        wishes: what is asked of single nodes.
        selected: the selected node.
        sight: what is on screen; None shows the graph as after opening.
    """

    aim: Aim
    dims: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    steps: tuple[RecipeStep, ...] = ()
    groups: tuple[int, ...] = ()
    wishes: tuple[Wish, ...] = ()
    selected: NodeRef | None = None
    sight: Sight | None = None


def kept_of(document: Document, bench: Workbench) -> Kept | None:
    """How *document* stands now; None when no model is open."""
    workspace = document.workspace
    if workspace is None:
        return None
    node = workspace.model.find_node(document.selected) if document.selected is not None else None
    return Kept(
        aim=aim_of(document.choice),
        dims=workspace.original.dims,
        steps=steps_of(step.preview for step in workspace.steps),
        groups=tuple(len(group) for group in workspace.groups),
        wishes=wishes_of(workspace.model, document.choice.overrides),
        selected=refer(workspace.model, node) if node is not None else None,
        sight=sight_of(bench),
    )


def kept_from(journal: Journal) -> Kept:
    """What *journal* says."""
    return Kept(journal.aim, journal.dims, journal.steps, journal.groups, journal.wishes)


def sight_of(bench: Workbench) -> Sight:
    """What the canvas of *bench* shows."""
    camera, view = bench.graph.camera, bench.graph.view_size()
    middle = camera.world(QPointF(view.width() / 2, view.height() / 2))
    return Sight(camera.scale, middle.x(), middle.y())


def aim_of(choice: Choice) -> Aim:
    """The target of *choice*, without what is asked of single nodes."""
    return Aim(choice.platform, choice.toolchain, choice.march, choice.flow)


def choice_of(aim: Aim) -> Choice:
    """The choice of *aim*, with nothing asked of single nodes."""
    return Choice(aim.platform, aim.toolchain, aim.march, aim.flow)


def wishes_of(model: Model, overrides: Overrides) -> tuple[Wish, ...]:
    """*overrides* by reference; those of nodes that *model* does not have any more are left out."""
    nodes = ((id_, model.find_node(id_)) for id_ in overrides.nodes)
    return tuple(
        Wish(refer(model, node), overrides.forced.get(id_), overrides.qtypes.get(id_))
        for id_, node in nodes
        if node is not None
    )


def overrides_of(model: Model, wishes: Iterable[Wish]) -> Overrides:
    """*wishes* for the nodes of *model*; those whose node is not there are left out."""
    made = Overrides()
    for wish in wishes:
        node = resolve(model, wish.node)
        if node is not None:
            made = made.force(node.id, wish.device).ask(node.id, wish.qtype)
    return made
