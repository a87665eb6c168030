"""`Editor`: the only way to make a changed Model."""

from inspector.model.graph import Model


class Editor:
    """Collects a change of one graph and gives a new Model."""

    def __init__(self, model: Model, graph: int = 0) -> None:
        self.model = model
        self.graph = graph
