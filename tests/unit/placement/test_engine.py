import gc
from dataclasses import replace

import pytest
from onnx import helper

from inspector.errors import UsageError
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from tests.helpers.models import proto

CATALOG = load_catalog()
MODEL = from_proto(proto([helper.make_node("Relu", ["x"], ["y"])], {"x": [1, 4]}, {"y": [1, 4]}))


@pytest.fixture
def collector():
    yield
    gc.enable()


@pytest.mark.usefixtures("collector")
def test_the_garbage_collector_is_as_it_was_after_a_placement():
    target = resolve_target(CATALOG, "x5")
    place(MODEL, CATALOG, target)
    assert gc.isenabled()
    gc.disable()
    place(MODEL, CATALOG, target)
    assert not gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_the_garbage_collector_is_on_again_after_an_error():
    with pytest.raises(UsageError):
        place(MODEL, CATALOG, replace(resolve_target(CATALOG, "x5"), march="none", platform="none"))
    assert gc.isenabled()
