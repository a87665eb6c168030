"""`Scopes`: the nodes of a model as a tree of name scopes, held in flat arrays so that a view may build rows lazily.

An exporter writes the module path of a node into its name, `/deblock.0/conv/Conv`; every part but the last is a scope.
A graph other than the main one (a body, a local function) is a scope of its own below the root.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspector.model.graph import MAIN, Model, Node

Ints = npt.NDArray[np.int64]

ROOT = 0
"""Index of the scope that holds everything."""

MOST_PARTS = 24
"""Parts of a name that are taken as scopes; what follows stays in the name of the node."""

MOST_ROWS = 400
"""Scopes, and nodes, that stand directly in one scope; longer lists are cut into ranges of that many."""


@dataclass(frozen=True)
class Scopes:
    """A tree of scopes over `Model.nodes`. A parent always has a smaller index than its children.

    Attributes:
        names: `[s]` last part of the path, or `first … last` for a range of a long list; empty for the root.
        paths: `[s]` whole path, `deblock.0/conv`; empty for the root, that of the enclosing scope for a range.
        parent: `[s]` index of the enclosing scope, -1 for the root.
        inner: `[s]` scopes directly inside, in the order of their first node.
        direct: `[s]` nodes directly inside, as positions in `Model.nodes`.
        scope_of: `[n]` scope that directly holds each node.
        titles: `[n]` what to call each node within its scope: the last part of its label.
    """

    names: tuple[str, ...]
    paths: tuple[str, ...]
    parent: Ints
    inner: tuple[tuple[int, ...], ...]
    direct: tuple[tuple[int, ...], ...]
    scope_of: Ints
    titles: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def totals(self, node_class: Ints, classes: int) -> Ints:
        """`[s, classes]` how many nodes of each class every scope holds, inner scopes included.

        Args:
            node_class: `[n]` class of each node, 0..classes-1; a negative one is not counted.
            classes: number of classes.
        """
        counts = np.zeros((len(self), classes), dtype=np.int64)
        counted = node_class >= 0
        np.add.at(counts, (self.scope_of[counted], node_class[counted]), 1)
        for scope in range(len(self) - 1, ROOT, -1):
            counts[self.parent[scope]] += counts[scope]
        return counts

    def chain(self, scope: int) -> tuple[int, ...]:
        """The scopes from the outermost below the root down to *scope*, ranges left out; empty for the root."""
        found: list[int] = []
        while scope != ROOT:
            outer = int(self.parent[scope])
            if self.paths[scope] != self.paths[outer]:
                found.append(scope)
            scope = outer
        return tuple(reversed(found))

    def members(self, scope: int) -> tuple[int, ...]:
        """Positions in `Model.nodes` of all nodes in *scope*, inner scopes included, in order."""
        inside = np.zeros(len(self), dtype=np.bool_)
        inside[scope] = True
        for other in range(scope + 1, len(self)):
            inside[other] = inside[other] or inside[self.parent[other]]
        return tuple(np.flatnonzero(inside[self.scope_of]).tolist())


def scopes_of(model: Model) -> Scopes:
    """The name scopes of *model*, main graph first; work grows with the number of nodes."""
    builder = _Builder()
    tops = [ROOT if graph.index == MAIN else builder.scope(ROOT, graph.path or graph.name) for graph in model.graphs]
    for node in model.nodes:
        builder.add(tops[node.graph], node)
    return builder.made()


def name_parts(node: Node) -> tuple[tuple[str, ...], str]:
    """The scopes in the name of *node*, outermost first, and what is left as its title.

    A node without a name belongs to no scope: its label is made up.
    """
    parts = [part for part in node.name.split("/") if part]
    if len(parts) < 2:
        return (), parts[0] if parts else node.label
    kept = min(len(parts) - 1, MOST_PARTS)
    return tuple(parts[:kept]), "/".join(parts[kept:])


class _Builder:
    """Collects scopes in lists, then numbers them from the outside in."""

    def __init__(self) -> None:
        self._index: dict[tuple[int, str], int] = {}
        self._names, self._inner, self._direct = [""], [list[int]()], [list[int]()]
        self._titles: list[str] = []

    def scope(self, parent: int, name: str) -> int:
        """The scope *name* inside *parent*, made when it is new."""
        known = self._index.get((parent, name))
        if known is not None:
            return known
        made = self._index[parent, name] = len(self._names)
        self._names.append(name)
        self._inner.append([])
        self._direct.append([])
        self._inner[parent].append(made)
        return made

    def add(self, top: int, node: Node) -> None:
        """Put *node* into the scope that its name gives, below *top*."""
        scopes, title = name_parts(node)
        scope = top
        for name in scopes:
            scope = self.scope(scope, name)
        self._direct[scope].append(len(self._titles))
        self._titles.append(title)

    def made(self) -> Scopes:
        """The tree, with long lists cut into ranges."""
        tree = _Numbered(self._titles)
        self._number(tree, ROOT, tree.scope("", "", -1))
        return tree.made()

    def _number(self, tree: "_Numbered", old: int, new: int) -> None:
        path = tree.paths[new]
        for part in _pieces(self._inner[old]):
            names = [self._names[inner] for inner in part]
            parent = tree.range_of(new, names) if len(part) < len(self._inner[old]) else new
            for inner, name in zip(part, names, strict=True):
                self._number(tree, inner, tree.scope(name, f"{path}/{name}" if path else name, parent))
        for part in _pieces(self._direct[old]):
            names = [self._titles[node] for node in part]
            tree.hold(tree.range_of(new, names) if len(part) < len(self._direct[old]) else new, part)


class _Numbered:
    """The lists behind `Scopes` while they grow; a scope is added after the one that encloses it."""

    def __init__(self, titles: list[str]) -> None:
        self.paths: list[str] = []
        self._names: list[str] = []
        self._parent: list[int] = []
        self._inner: list[list[int]] = []
        self._direct: list[tuple[int, ...]] = []
        self._titles = titles

    def scope(self, name: str, path: str, parent: int) -> int:
        made = len(self._names)
        self._names.append(name)
        self.paths.append(path)
        self._parent.append(parent)
        self._inner.append([])
        self._direct.append(())
        if parent >= 0:
            self._inner[parent].append(made)
        return made

    def range_of(self, parent: int, names: list[str]) -> int:
        return self.scope(f"{names[0]} … {names[-1]}", self.paths[parent], parent)

    def hold(self, scope: int, nodes: list[int]) -> None:
        self._direct[scope] = tuple(nodes)

    def made(self) -> Scopes:
        scope_of = np.zeros(len(self._titles), dtype=np.int64)
        for scope, nodes in enumerate(self._direct):
            scope_of[list(nodes)] = scope
        return Scopes(
            names=tuple(self._names),
            paths=tuple(self.paths),
            parent=np.array(self._parent, dtype=np.int64),
            inner=tuple(map(tuple, self._inner)),
            direct=tuple(self._direct),
            scope_of=scope_of,
            titles=tuple(self._titles),
        )


def _pieces(items: list[int]) -> list[list[int]]:
    return [items[start : start + MOST_ROWS] for start in range(0, len(items), MOST_ROWS)]
