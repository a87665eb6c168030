"""One worker for all tests that only compute."""

import pytest

from inspector.worker.client import WorkerClient


@pytest.fixture(scope="session")
def shared_worker():
    """A real worker process, shared by tests that do not harm it."""
    with WorkerClient(time_limit_s=60) as client:
        yield client
