"""What the banners over the canvas say about a workspace: graph-level failures, unknown shapes, missing data."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from inspector.gui.panels.banners import Banner
from inspector.gui.words import check_sentence, say_text
from inspector.model.graph import Model
from inspector.model.infer import dynamic_dims
from inspector.model.shape import static
from inspector.placement.verdict import Verdict
from inspector.workspace import Workspace

translate = QCoreApplication.translate


def banners_of(workspace: Workspace, set_sizes: Callable[[], object]) -> tuple[Banner, ...]:
    """Banners for *workspace*, most important first; *set_sizes* opens the sizes dialog."""
    made = [
        Banner(
            key=check.clause,
            tone="unsupported",
            title=check_sentence(check),
            text=translate("BannerTexts", "The toolchain refuses the file. Nodes are judged as if it did not."),
            verdict=Verdict.UNSUPPORTED,
        )
        for check in workspace.placement.graph_failures
    ]
    made = _unknown_shapes(workspace.model, set_sizes) + made
    made += _missing_files(workspace.model)
    made += [Banner("warning", "inconclusive", say_text(warning)) for warning in workspace.model.warnings]
    return tuple(made)


def _missing_files(model: Model) -> list[Banner]:
    title = translate("BannerTexts", "{name} is missing. The graph is shown; values are not available.")
    names = dict.fromkeys(name for graph in model.graphs for name in model.tensors.missing_files(graph.initializers))
    return [Banner(name, "inconclusive", title.format(name=name)) for name in names]


def _unknown_shapes(model: Model, set_sizes: Callable[[], object]) -> list[Banner]:
    unknown = [
        node for node in model.main.nodes if any(v.name and static(v.shape) is None for v in model.output_values(node))
    ]
    if not unknown:
        return []
    unbound = [name for name in dynamic_dims(model) if name not in model.dims]
    title = translate("BannerTexts", "%n node(s) have no complete shape", "", len(unknown))
    text = translate("BannerTexts", "first at {name}").format(name=unknown[0].label)
    action = translate("BannerTexts", "Set sizes…") if unbound else ""
    run = set_sizes if unbound else None
    return [Banner("shapes", "unknown", title, text, action, run, Verdict.UNKNOWN)]
