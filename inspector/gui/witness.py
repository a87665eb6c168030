"""`Witness`: a runner that remembers when the worker gave no answer, which a comparison only calls inconclusive."""

from inspector.errors import WorkerCancelled, WorkerError
from inspector.text import say
from inspector.verify.result import Status, Verification
from inspector.worker.client import ModelRefused, Runner
from inspector.worker.protocol import RunReply, RunRequest, Transform


class Witness:
    """Hands requests on to another runner; see `Runner`."""

    def __init__(self, runner: Runner, model: str) -> None:
        """Watch *runner*; the user knows the model as *model*, the worker only temporary files made of it."""
        self._runner = runner
        self._model = model
        self._seen: WorkerError | None = None

    def infer_shapes(self, model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
        """See `Runner`."""
        return self._runner.infer_shapes(model, data_prop=data_prop, strict=strict)

    def check_model(self, model: bytes) -> str | None:
        """See `Runner`."""
        return self._runner.check_model(model)

    def transform(self, model: bytes, how: Transform, version: int = 0) -> bytes:
        """See `Runner`."""
        return self._runner.transform(model, how, version)

    def run(self, request: RunRequest) -> RunReply:
        """See `Runner`; a worker that died, hung or could not be started is remembered."""
        try:
            return self._runner.run(request)
        except (WorkerCancelled, ModelRefused):
            raise
        except WorkerError as error:
            self._seen = error
            raise

    def answered(self, result: Verification) -> None:
        """Insist on an answer: what the worker did outranks the INCONCLUSIVE *result* that came of it.

        Raises:
            WorkerError: the worker gave no answer, and no difference was seen before.
        """
        seen = self._seen
        if seen is None or result.status is not Status.INCONCLUSIVE:
            return
        if "model" in seen.message.args:
            seen = type(seen)(say(seen.message.key, **{**seen.message.args, "model": self._model}), seen.help)
        raise seen
