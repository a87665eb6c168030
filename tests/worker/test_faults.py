"""The worker may die in every way; the caller gets the right message, no file stays, and the next request works."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import WorkerCancelled, WorkerCrashed, WorkerError, WorkerTimeout
from inspector.text import render
from inspector.worker import folders
from inspector.worker.client import ModelRefused, WorkerClient
from inspector.worker.protocol import Backend, RunRequest
from tests.helpers import models, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc of Linux")

X = {"x": np.full((2, 3), 0.5, np.float32)}


@pytest.fixture
def exp(tmp_path):
    return models.write(running.exp_model(), tmp_path / "exp.onnx")


@pytest.fixture
def endless(tmp_path):
    return models.write(running.endless_model(), tmp_path / "endless.onnx")


@pytest.fixture
def client():
    with WorkerClient() as worker:
        yield worker
    assert left_files() == []


def left_files():
    return sorted(p.name for p in folders.private_folder().iterdir() if p.name != "owner")


def pid_of(client):
    client.warm_up()
    return client._child.pid


def run_endless(client, endless):
    """Start the endless run, and return only once native code is at it."""
    pid = pid_of(client)
    before = running.cpu_ticks(pid)
    job = running.Background(lambda: client.run(RunRequest(endless, ({"x": np.ones(1, np.float32)},))))
    running.wait_for(lambda: running.cpu_ticks(pid) > before + 20)
    return pid, job


def assert_works(client, exp):
    reply = client.run(RunRequest(exp, (X,)))
    np.testing.assert_allclose(reply.results[0]["y"], np.exp(X["x"]), rtol=1e-6)
    assert left_files() == []


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
def test_crash_names_the_signal_and_the_next_request_works(client, exp, endless, number):
    pid, job = run_endless(client, endless)
    os.kill(pid, number)
    error = job.join()
    assert isinstance(error, WorkerCrashed)
    assert number.name in error.text()
    assert "endless.onnx" in error.text()
    assert "Your work is safe" in error.text()
    assert "已有修改没有丢失" in error.text("zh_CN")
    assert running.process_state(pid) == ""
    assert_works(client, exp)


def test_crash_between_requests_is_not_noticed(client, exp):
    pid = pid_of(client)
    os.kill(pid, signal.SIGKILL)
    running.wait_for(lambda: running.process_state(pid) == "")
    assert_works(client, exp)


def test_a_worker_that_dies_before_it_takes_up_a_request_is_replaced(client, exp):
    pid = pid_of(client)
    os.kill(pid, signal.SIGSTOP)  # alive, but it cannot read the request
    job = running.Background(lambda: client.run(RunRequest(exp, (X,))))
    running.wait_for(lambda: job.finished_at is not None or running.process_state(pid) == "T")
    time.sleep(0.2)
    os.kill(pid, signal.SIGKILL)
    np.testing.assert_allclose(job.join().results[0]["y"], np.exp(X["x"]), rtol=1e-6)
    assert pid_of(client) != pid


def test_hang_is_stopped_at_the_time_limit(exp, endless):
    with WorkerClient(time_limit_s=1.0) as client:
        pid = pid_of(client)
        with pytest.raises(WorkerTimeout, match="time limit of 1 s"):
            client.run(RunRequest(endless, ({"x": np.ones(1, np.float32)},)))
        assert running.process_state(pid) == ""
        client.time_limit_s = 60
        assert_works(client, exp)


def test_cancel_kills_within_a_fifth_of_a_second(client, exp, endless):
    pid, job = run_endless(client, endless)
    asked = time.monotonic()
    client.cancel()
    assert isinstance(job.join(), WorkerCancelled)
    assert job.finished_at - asked < 0.2
    assert running.process_state(pid) == ""
    assert_works(client, exp)


def test_a_job_cancels_only_its_own_requests(client, exp, endless):
    mine, other = client.job(), client.job()
    pid = pid_of(client)
    before = running.cpu_ticks(pid)
    busy = running.Background(lambda: mine.run(RunRequest(endless, ({"x": np.ones(1, np.float32)},))))
    running.wait_for(lambda: running.cpu_ticks(pid) > before + 20)
    waiting = running.Background(lambda: other.run(RunRequest(exp, (X,))))
    queued = client.job()
    dropped = running.Background(lambda: queued.run(RunRequest(exp, (X,))))
    queued.cancel()
    assert isinstance(dropped.join(), WorkerCancelled)
    assert running.process_state(pid) != "", "cancelling a waiting job must not touch the one that runs"
    mine.cancel()
    assert isinstance(busy.join(), WorkerCancelled)
    assert waiting.join().results[0]["y"].shape == (2, 3)
    with pytest.raises(WorkerCancelled):
        mine.run(RunRequest(exp, (X,)))


def test_memory_limit_is_an_answer_not_a_death(exp, tmp_path):
    filling = models.write(running.filling_model(), tmp_path / "filling.onnx")
    with WorkerClient(memory_limit_bytes=2 << 30) as client:
        pid = pid_of(client)
        with pytest.raises(WorkerError, match="memory limit") as caught:
            client.run(RunRequest(filling, ({"shape": np.array([1 << 31], np.int64)},)))
        assert not isinstance(caught.value, WorkerCrashed)
        assert client._child.pid == pid
        assert_works(client, exp)


def test_limits_set_anew_hold_from_the_next_request_on(exp):
    started = []
    with WorkerClient(on_start=started.append) as client:
        assert_works(client, exp)
        client.time_limit_s = 60.0
        assert_works(client, exp)
        assert len(started) == 1, "another limit of time needs no other child"
        client.memory_limit_bytes = 3 << 30
        assert_works(client, exp)
        assert_works(client, exp)
        assert len(started) == 2


def test_large_output_arrives_whole_and_leaves_nothing(client, tmp_path):
    filling = models.write(running.filling_model(), tmp_path / "filling.onnx")
    count = 24 << 20
    reply = client.run(RunRequest(filling, ({"shape": np.array([count], np.int64)},)))
    assert left_files() == []
    assert reply.results[0]["y"].shape == (count,)
    assert not reply.results[0]["y"].any()
    assert not reply.results[0]["y"].flags.writeable


def child_code(tmp_path, monkeypatch, code):
    """Make every Python child run *code* when it starts."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(textwrap.dedent(code))
    monkeypatch.setenv("PYTHONPATH", str(folder))


def test_what_libraries_print_does_not_reach_the_replies(client, exp, tmp_path, monkeypatch):
    child_code(
        tmp_path,
        monkeypatch,
        """
        import os, sys, threading, time
        def chatter():
            while "inspector.worker.tasks" not in sys.modules:
                time.sleep(0.001)
            for _ in range(2000):
                os.write(1, b'{"id": 1, "ok": "garbage"}\\n' + b"x" * 200)
                os.write(2, b"noise " * 40)
        if "inspector.worker" in sys.orig_argv:
            threading.Thread(target=chatter, daemon=True).start()
        """,
    )
    for _ in range(20):
        assert_works(client, exp)


def test_garbage_before_the_first_reply_is_reported(exp, tmp_path, monkeypatch):
    child_code(
        tmp_path,
        monkeypatch,
        """
        import os, sys
        if "inspector.worker" in sys.orig_argv:
            os.write(1, b"\\xff\\x00 not json\\n")
        """,
    )
    with WorkerClient() as client:
        with pytest.raises(WorkerError, match="no reply"):
            client.run(RunRequest(exp, (X,)))
        monkeypatch.delenv("PYTHONPATH")
        assert_works(client, exp)


def test_full_disk_is_reported_and_the_worker_goes_on(exp, tmp_path, monkeypatch):
    child_code(
        tmp_path,
        monkeypatch,
        """
        import resource, sys
        if "inspector.worker" in sys.orig_argv:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        """,
    )
    filling = models.write(running.filling_model(), tmp_path / "filling.onnx")
    with WorkerClient() as client:
        pid = pid_of(client)
        with pytest.raises(WorkerError, match="temporary file"):
            client.run(RunRequest(filling, ({"shape": np.array([1 << 20], np.int64)},)))
        assert client._child.pid == pid
        assert_works(client, exp)


def test_a_model_that_the_runtime_refuses(client, exp, tmp_path):
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"\x08\x08 this is no model")
    with pytest.raises(ModelRefused):
        client.run(RunRequest(bad, (X,)))
    with pytest.raises(WorkerError):
        client.run(RunRequest(exp, ({"z": X["x"]},)))
    with pytest.raises(WorkerError):
        client.run(RunRequest(tmp_path / "missing.onnx", (X,)))
    assert_works(client, exp)


def test_check_and_infer_through_the_worker(client):
    import onnx

    proto = running.exp_model()
    assert client.check_model(proto.SerializeToString()) is None
    inferred = onnx.ModelProto.FromString(client.infer_shapes(proto.SerializeToString()))
    assert [v.name for v in inferred.graph.value_info] == ["r"]
    proto.graph.node[0].op_type = "Nonsense"
    assert "Nonsense" in (client.check_model(proto.SerializeToString()) or "")
    proto.graph.node[0].op_type = "Relu"
    proto.graph.node[0].output[0] = "y"
    assert client.check_model(proto.SerializeToString())


def test_several_input_sets_selected_outputs_and_reference(client, exp):
    sets = tuple({"x": np.full((2, 3), v, np.float32)} for v in (0.0, 1.0, 2.0))
    reply = client.run(RunRequest(exp, sets, ("y",), threads=1, keep=True))
    assert [round(float(r["y"][0, 0]), 4) for r in reply.results] == [1.0, 2.7183, 7.3891]
    assert (reply.runtime.name, reply.runtime.optimization) == ("onnxruntime", "ORT_DISABLE_ALL")
    other = client.run(RunRequest(exp, sets, backend=Backend.REFERENCE))
    assert other.runtime.name == "onnx reference evaluator"
    for a, b in zip(reply.results, other.results, strict=True):
        np.testing.assert_allclose(a["y"], b["y"], rtol=1e-6)


def test_a_changed_file_is_loaded_again_although_the_session_was_kept(client, tmp_path):
    path = models.write(running.exp_model(), tmp_path / "m.onnx")
    client.run(RunRequest(path, (X,), keep=True))
    models.write(models.proto([models.helper.make_node("Neg", ["x"], ["y"])], {"x": [2, 3]}, {"y": [2, 3]}), path)
    np.testing.assert_array_equal(client.run(RunRequest(path, (X,))).results[0]["y"], -X["x"])


def test_a_closed_client_refuses(exp):
    client = WorkerClient()
    pid = pid_of(client)
    client.close()
    assert running.process_state(pid) == ""
    with pytest.raises(WorkerCancelled):
        client.run(RunRequest(exp, (X,)))
    client.close()


def test_close_stops_a_running_request(endless):
    client = WorkerClient()
    pid, job = run_endless(client, endless)
    client.close()
    assert isinstance(job.join(), WorkerCancelled)
    assert running.process_state(pid) == ""


PARENT = """
    import sys, threading, time
    import numpy as np
    from pathlib import Path
    from inspector.worker.client import WorkerClient
    from inspector.worker.folders import private_folder
    from inspector.worker.protocol import RunRequest
    client = WorkerClient()
    client.warm_up()
    print(client._child.pid, private_folder(), flush=True)
    if sys.argv[1] == "run":
        client.run(RunRequest(Path(sys.argv[2]), ({"x": np.ones(1, np.float32)},)))
"""


def start_parent(tmp_path, *arguments):
    script = tmp_path / "parent.py"
    script.write_text(textwrap.dedent(PARENT))
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, str(script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(tmp_path)},
    )
    pid, folder = process.stdout.readline().split()
    process.stdout.close()
    return process, int(pid), Path(folder)


def test_end_of_the_program_without_close_leaves_nothing(tmp_path):
    process, pid, folder = start_parent(tmp_path, "leave")
    assert process.wait(20) == 0
    assert not folder.exists()
    assert running.process_state(pid) == ""


def test_killed_program_takes_its_worker_and_its_files_with_it(tmp_path, endless):
    process, pid, folder = start_parent(tmp_path, "run", endless)
    start = running.cpu_ticks(pid)
    running.wait_for(lambda: running.cpu_ticks(pid) > start + 20)
    assert any(p.name.startswith("run-") for p in folder.iterdir())
    process.kill()
    process.wait(20)
    running.wait_for(lambda: running.process_state(pid) == "")
    running.wait_for(lambda: not folder.exists())


def test_program_and_worker_killed_the_next_start_sweeps(tmp_path):
    process, pid, folder = start_parent(tmp_path, "run", tmp_path / "missing.onnx")
    os.kill(process.pid, signal.SIGSTOP)
    os.kill(pid, signal.SIGKILL)
    assert folders.sweep(tmp_path) == (), "a folder whose program lives is not touched"
    process.kill()
    process.wait(20)
    if folder.exists():
        assert folders.sweep(tmp_path) == (folder,)
    assert not folder.exists()


def test_messages_have_both_languages():
    with WorkerClient() as client, pytest.raises(WorkerError) as caught:
        client.infer_shapes(b"\x08\x08 no model")
    assert render(caught.value.message, "zh_CN") != render(caught.value.message, "en")
