"""Freeze dynamic dimensions: sizes of the user's choice are written into the declarations of the model.

What other shapes follow from them is inferred anew, so that shape chains and rules see fixed sizes.
"""

from inspector.model.graph import Model
from inspector.model.infer import LARGEST_DIM, bind_dims, dynamic_dims
from inspector.rewrite.tools.rebuild import copied, rebuilt
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import Runner


class FreezeDims(Tool):
    """Writes sizes of dynamic dimensions into the model; arguments: `dims`, name -> size."""

    id = "freeze-dims"

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """See `Tool`."""
        self.taken(arguments, dims=dict)
        dims: dict[str, int] = dict(arguments["dims"])
        open_dims = dynamic_dims(model)
        names = ", ".join(open_dims) or "-"
        if not dims:
            return say("tool.freeze-dims.none", names=names)
        for name, size in dims.items():
            if name not in open_dims:
                return say("tool.freeze-dims.unknown", dim=name, names=names)
            if not isinstance(size, int) or not 1 <= size <= LARGEST_DIM:
                return say("tool.freeze-dims.size", dim=name, found=size, most=LARGEST_DIM)
        shell = copied(model.shell)
        bind_dims(shell, dims)
        still_bound = {name: size for name, size in model.dims.items() if name not in dims}
        return Change(rebuilt(model, runner, shell=shell, dims=still_bound, keep_values=False))
