import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import WorkerError
from inspector.worker.client import InProcessRunner, ModelRefused, signal_name
from inspector.worker.limits import peak_memory, physical_memory
from inspector.worker.protocol import RunRequest, as_feed, decode, encode
from tests.helpers import running

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_one_line_each_way(message):
    line = encode(message)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert line.isascii()
    assert decode(line) == message


@pytest.mark.parametrize("line", [b"", b"[1]\n", b"\xff\n", b"{\n", b"3\n"])
def test_what_is_no_message(line):
    with pytest.raises(ValueError):  # noqa: PT011 - JSON's own texts differ between versions
        decode(line)


def test_feeds_are_contiguous_and_native():
    array = np.arange(6, dtype=">f4").reshape(2, 3).T
    feed = as_feed(array)
    assert feed.flags.c_contiguous
    assert feed.dtype == np.float32
    np.testing.assert_array_equal(feed, array)
    assert as_feed(np.float32(3)).shape == ()


def test_how_a_process_ended():
    assert signal_name(-11) == "SIGSEGV"
    assert signal_name(-200) == "signal 200"
    assert signal_name(3) == "exit code 3"
    assert signal_name(0xC0000005) == "exit code 0xc0000005"


def test_memory_of_this_process_is_known():
    assert 1 << 20 < peak_memory() <= physical_memory()


def test_in_process_checks_and_infers_but_never_runs(tmp_path):
    runner = InProcessRunner()
    model = running.exp_model().SerializeToString()
    assert runner.check_model(model) is None
    assert b"r" in runner.infer_shapes(model)
    with pytest.raises(WorkerError, match="worker process only"):
        runner.run(RunRequest(tmp_path / "m.onnx", ()))


def test_in_process_refusal_is_a_worker_error():
    with pytest.raises(ModelRefused):
        InProcessRunner().infer_shapes(b"\xff\xff")
    bad = running.exp_model()
    bad.graph.node[0].op_type = "Nonsense"
    assert "Nonsense" in (InProcessRunner().check_model(bad.SerializeToString()) or "")
