"""`observe_shapes`: run the model once and read off the shapes that inference does not find."""

import tempfile
from pathlib import Path

from inspector.model.dtype import from_numpy
from inspector.model.graph import MAIN, Model, ShapeOrigin, Value
from inspector.model.infer import with_observed
from inspector.model.save import write_runtime
from inspector.model.shape import of, static
from inspector.text import Message
from inspector.verify.feeds import input_specs, make_feed
from inspector.worker.client import Runner
from inspector.worker.protocol import RunRequest


def observe_shapes(model: Model, runner: Runner, *, seed: int = 7) -> Model | Message:
    """*model* with the dtypes and shapes of one run in the worker; values of shape `?` become known.

    A shape that depends on the data (NonZero, NMS) is that of made-up inputs; its origin says that a run gave it.

    Args:
        model: all dynamic dimensions of its inputs must be bound.
        runner: runs it.
        seed: of the inputs.

    Returns:
        The model, or the reason why no inputs could be made up.

    Raises:
        WorkerError: the run gave no answer.
    """
    specs = input_specs(model)
    if isinstance(specs, Message):
        return specs
    wanted = [
        name
        for node in model.main.nodes
        for name in node.outputs
        if name and (static(model.value(MAIN, name).shape) is None or model.value(MAIN, name).dtype is None)
    ]
    if not wanted:
        return model
    with tempfile.TemporaryDirectory(prefix="bpu-inspector-") as folder:
        path = write_runtime(model, Path(folder), extra_outputs=wanted)
        reply = runner.run(RunRequest(path, (make_feed(specs, 0, seed),), tuple(wanted)))
    seen = reply.results[0].items()
    return with_observed(
        model, [Value(name, from_numpy(array.dtype), of(*array.shape), ShapeOrigin.RUN) for name, array in seen]
    )
