"""Accepting, undoing and redoing in any order: every state is, byte for byte, what it was when it was first there."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.errors import RewriteError
from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto, load_model
from inspector.model.save import full_proto, save_model
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.rewrite.find import sites
from inspector.rewrite.preview import preview
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Match
from inspector.worker.client import InProcessRunner
from inspector.workspace import Step, Workspace
from tests.rules.test_in_bodies import branching, looping, nested

DATA = Path(__file__).resolve().parent.parent / "data"
BUILT = {"branching": branching, "looping": looping, "nested": nested}
STORED = sorted(path.name for path in DATA.glob("*.onnx"))


@cache
def opened(name) -> Workspace:
    model = from_proto(BUILT[name]()) if name in BUILT else load_model(DATA / name)
    model = infer_shapes(model, InProcessRunner())
    catalog = load_catalog()
    target = resolve_target(catalog, "x5")
    return Workspace(model, model, target, place(model, catalog, target))


def content(model: Model) -> bytes:
    return full_proto(model).SerializeToString(deterministic=True)


def state(workspace: Workspace) -> tuple[bytes, tuple[str, ...], tuple[object, ...]]:
    model = workspace.model
    values = tuple(tuple(sorted(str(v) for v in table.values())) for table in model.values)
    return content(model), tuple(n.label for n in model.nodes), (values, dict(model.dims), model.next_id)


def accepted(workspace: Workspace, pick: int) -> Workspace | None:
    """The workspace after one of the rewrites that fit; None when none does."""
    model = workspace.model
    found = [(rule, match) for rule in rules() for match in sites(model, rule) if isinstance(match, Match)]
    if not found:
        return None
    rule, match = found[pick % len(found)]
    try:
        built = preview(model, rule, match, match.variants[pick % len(match.variants)])
    except RewriteError:
        return None
    return workspace.accepted((Step(built, ()),), workspace.placement)


@pytest.mark.parametrize("name", [*BUILT, *STORED])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(moves=st.lists(st.tuples(st.sampled_from("aaaur"), st.integers(0, 1 << 16)), min_size=1, max_size=7))
def test_any_sequence_leads_back(name, moves):
    history = [opened(name)]
    first = [state(history[0])]
    at = 0
    for move, pick in moves:
        if move == "u":
            at = max(at - 1, 0)
        elif move == "r":
            at = min(at + 1, len(history) - 1)
        elif (after := accepted(history[at], pick)) is not None:
            del history[at + 1 :], first[at + 1 :]
            history.append(after)
            first.append(state(after))
            at += 1
        assert state(history[at]) == first[at]
    assert [state(workspace) for workspace in history] == first
    assert history[0] is opened(name)


@pytest.mark.parametrize("name", STORED)
def test_undone_work_is_saved_as_the_file_that_was_opened(name, tmp_path):
    start = opened(name)
    after = accepted(start, 3)
    assert after is not None
    assert content(after.model) != content(start.model)
    save_model(after.steps[0].preview.before, tmp_path / "undone.onnx")
    save_model(load_model(DATA / name), tmp_path / "opened.onnx")
    assert (tmp_path / "undone.onnx").read_bytes() == (tmp_path / "opened.onnx").read_bytes()
