"""What one placement may take over from an earlier one: op-local judgements and the structure of the model.

A rewrite touches a few nodes of a model with thousands. Models are immutable and share what did not change, so two
versions are compared by identity first; a node is judged again only when something that a clause may ask about it, its
own values or what stands next to it, is not the same as before.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from inspector.model.graph import MAIN, Graph, Model, Node, NodeId
from inspector.placement.context import Structure
from inspector.placement.context_facts import ContextFacts, Fact
from inspector.placement.context_fold import structure_of
from inspector.placement.facts import Surroundings
from inspector.placement.local import LocalVerdict, judge
from inspector.placement.signature import Numbers, sign
from inspector.placement.table import Table
from inspector.placement.target import Qtype, Target

_Scope = tuple[str, str, str, str]


@dataclass(eq=False)
class PlacementCache:
    """What earlier placements found out.

    Give the same cache to `place` for a model, for the models edited from it and for every target it is shown on.
    Answers never depend on it. Not for use by two threads at once.

    Nodes fall into classes that are judged alike on every target, so that a target asks for one judgement per class.
    """

    _numbers: Numbers = field(default_factory=Numbers)
    _classes: tuple[Model, Structure, Mapping[NodeId, int]] | None = None
    _judged: dict[_Scope, dict[tuple[int, Qtype | None], LocalVerdict]] = field(default_factory=dict)
    _structure: tuple[Model, frozenset[str], Structure] | None = None

    def judged(
        self, model: Model, structure: Structure, digest: str, table: Table, target: Target
    ) -> Mapping[NodeId, LocalVerdict]:
        """Op-local judgements by *table*, which is of the catalog with this *digest*; folded nodes are left out."""
        known = self._judged.setdefault((digest, table.id, target.flow.value, str(target.qtype)), {})
        classes = self.classes(model, structure)

        def of(node_id: NodeId, number: int, qtype: Qtype | None) -> LocalVerdict:
            local = known.get((number, qtype))
            if local is None:
                node = model.node(node_id)
                local = judge(
                    model,
                    node,
                    table,
                    target,
                    constants=structure.constants[node.graph],
                    around=self._numbers.around.get(number, Surroundings()),
                )
                known[number, qtype] = local
            return local

        one_of = {number: node_id for node_id, number in classes.items() if node_id not in target.qtypes}
        usual = {number: of(node_id, number, None) for number, node_id in one_of.items()}
        found = {node_id: usual[number] for node_id, number in classes.items() if number in usual}
        for node_id, qtype in target.qtypes.items():
            if node_id in classes:
                found[node_id] = of(node_id, classes[node_id], qtype)
        return found

    def classes(self, model: Model, structure: Structure) -> Mapping[NodeId, int]:
        """Class of each node that stands; equal numbers mean equal signatures, in all models asked about."""
        last = self._classes
        if last is not None and last[0] is model and last[1] is structure:
            return last[2]
        again = None if last is None else touched(last[0], model, last[1].constants[MAIN] ^ structure.constants[MAIN])
        old: Mapping[NodeId, int] = {} if last is None or again is None else last[2]
        found: dict[NodeId, int] = {}
        for graph, constants in zip(model.graphs, structure.constants, strict=True):
            standing = [node for node in graph.nodes if node.id not in structure.folded]
            new = standing
            if again is not None:
                new = [node for node in standing if node.id in again or node.id not in old]
                found.update({node.id: old[node.id] for node in standing if node.id in old})
            found.update(sign(model, graph, constants, new, self._numbers))
        self._classes = (model, structure, found)
        return found

    def structure(self, model: Model, facts: ContextFacts) -> Structure:
        """What the passes need to know of *model* under *facts*."""
        folding = frozenset().union(*(_folding(fact) for fact in facts.facts.values()))
        if self._structure is None or self._structure[0] is not model or self._structure[1] != folding:
            self._structure = (model, folding, structure_of(model, facts))
        return self._structure[2]


def touched(old: Model, new: Model, names: AbstractSet[str] = frozenset()) -> set[NodeId] | None:
    """Nodes of *new* about which a clause could be told something else than in *old*; None when all of them.

    *names* are values of the main graph that are known to have changed.
    """
    if len(old.graphs) != len(new.graphs) or old.opsets != new.opsets:
        return None
    if old.shell is not new.shell and old.shell.producer_name != new.shell.producer_name:
        return None
    before, after = old.main, new.main
    changed = {*names, *_changed_names(old, new), *_changed_values(old, new)}
    nodes = _changed_nodes(before, after, changed)
    for _ in range(3):  # a limit may ask about the map that a Gemm works on: a reshaping and a no-op lie between
        reached = {name for node in nodes for name in (*node.inputs, *node.outputs) if name} | changed
        makers = [node for name in reached if (node := new.producer(MAIN, name)) is not None]
        nodes = [*makers, *(node for name in reached for node in new.consumers(MAIN, name))]
    inner = [node.id for graph in new.graphs[1:] for node in graph.nodes]
    return {node.id for node in nodes}.union(inner)


def _changed_names(old: Model, new: Model) -> set[str]:
    """Inputs, outputs and initializers of the main graph that are not the same."""
    before, after = old.main, new.main
    names = {*before.outputs} ^ {*after.outputs} | {*before.inputs} ^ {*after.inputs}
    names |= before.overridable ^ after.overridable
    if before.initializers is not after.initializers:
        names |= _differing(before.initializers, after.initializers)
    return names


def _changed_values(old: Model, new: Model) -> set[str]:
    """Values of the main graph of which something else is known."""
    names: set[str] = set()
    if old.values[MAIN] is not new.values[MAIN]:
        mine, theirs = old.values[MAIN], new.values[MAIN]
        names = {name for name in _differing(mine, theirs) if mine.get(name) != theirs.get(name)}
    if old.constants[MAIN] is not new.constants[MAIN]:
        constants = old.constants[MAIN], new.constants[MAIN]
        names |= {name for name in _differing(*constants) if not _equal(constants[0].get(name), constants[1].get(name))}
    return names


def _changed_nodes(before: Graph, after: Graph, names: set[str]) -> list[Node]:
    """Nodes that are new or different; the values of those that are gone are added to *names*."""
    known = {node.id: node for node in before.nodes}
    changed = []
    for node in after.nodes:
        was = known.pop(node.id, None)
        if was is not node:
            changed.append(node)
            if was is not None:
                names.update((*was.inputs, *was.outputs))
    for gone in known.values():
        names.update((*gone.inputs, *gone.outputs))
    names.discard("")
    return changed


def _differing(a: Mapping[str, object], b: Mapping[str, object]) -> set[str]:
    """Names that do not stand for the very same object in both."""
    return {name for name, value in a.items() if b.get(name) is not value} | (b.keys() - a.keys())


def _equal(a: npt.NDArray[np.generic] | None, b: npt.NDArray[np.generic] | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def _folding(fact: Fact) -> frozenset[str]:
    return frozenset({fact.pass_name, *fact.ops}) if fact.pass_name.startswith("fold") else frozenset()
