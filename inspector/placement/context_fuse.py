"""Fusion: nodes that have no row of their own in a build log because another node does their work.

A fused node takes its host's verdict once all passes are done. Folding a BatchNormalization happens in the float model,
before anything is placed, so it does not ask where its Conv runs; Relu and Add are taken in only by a host that the BPU
accepts (or may accept).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import prod

from inspector.model.graph import Node
from inspector.model.shape import static
from inspector.placement.context import Draft, Entry, Wiring, weakest, worst
from inspector.placement.context_facts import Fact
from inspector.placement.verdict import Check, Outcome, Verdict

_CONVS = frozenset({"Conv", "ConvTranspose"})
_MAY_RUN_ON_BPU = (Verdict.BPU, Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Graph:
    """One graph while its fusions are looked for.

    Attributes:
        draft: the working state.
        wiring: who feeds whom.
        chain: value -> the Conv that makes it, itself or through nodes already fused into it, with no activation since.
        open_checks: `id` of an op-local judgement -> its checks that failed or are open.
    """

    draft: Draft
    wiring: Wiring
    chain: dict[str, Node] = field(default_factory=dict)
    open_checks: dict[int, tuple[Check, ...]] = field(default_factory=dict)

    def entry(self, node: Node) -> Entry:
        """What is decided about *node*; asked for late, since most nodes are not fused and need no entry."""
        return self.wiring.entries.of(node)

    def constant(self, node: Node, names: Iterable[str]) -> bool:
        """Whether all values of *names* that are given are known before run time."""
        return all(name in self.draft.constants[node.graph] for name in names if name)

    def plain_conv(self, name: str) -> Node | None:
        """Conv whose plain output *name* is, when only one node reads it."""
        host = self.chain.get(self.wiring.resolve(name))
        return host if host is not None and self.wiring.alone(name) else None


_Step = Callable[[_Graph, Fact, Node], bool]


def fuse(draft: Draft, wiring: Wiring) -> None:
    """Find the hosts of all fused nodes of one graph."""
    graph = _Graph(draft, wiring)
    steps: dict[str, list[tuple[Fact, _Step]]] = {}
    for name, step in _STEPS.items():
        fact = draft.facts.get(name)
        if fact is not None:
            for op in sorted(fact.ops):
                steps.setdefault(op, []).append((fact, step))
    for place in wiring.wires.of_ops(_CONVS.union(steps)):
        node = wiring.wires.nodes[place]
        if not node.inputs or not node.outputs:
            continue
        if node.op.name in _CONVS:
            graph.chain[node.outputs[0]] = node
        entry = wiring.entries.get(node.id)
        if entry is None or (entry.host is None and entry.forced is None):
            for fact, step in steps.get(node.op.name, ()):
                if step(graph, fact, node):
                    break


def take_over(entry: Entry) -> None:
    """Give a fused node the verdict of its host."""
    host = entry.top
    entry.verdict = host.verdict
    entry.standing = host.standing if entry.fused_by is None else weakest(host.standing, entry.fused_by.source.standing)


def single_constant(draft: Draft, node: Node, index: int) -> bool:
    """Whether input *index* of *node* is a constant of one element."""
    if index >= len(node.inputs) or not node.inputs[index]:
        return False
    name = node.inputs[index]
    if name not in draft.constants[node.graph]:
        return False
    tensor = draft.model.constant_tensor(node.graph, name)
    if tensor is not None:
        return prod(tensor.dims) == 1
    shape = static(draft.model.value(node.graph, name).shape)
    return shape is not None and prod(shape) == 1


def _bn(graph: _Graph, fact: Fact, node: Node) -> bool:
    host = graph.plain_conv(node.inputs[0])
    if host is None or host.op.name not in fact.hosts or not graph.constant(node, node.inputs[1:]):
        return False
    graph.entry(node).fuse(graph.entry(host), fact)
    graph.chain[node.outputs[0]] = host
    return True


def _bn_concat(graph: _Graph, fact: Fact, node: Node) -> bool:
    """Fold backwards through a channel Concat whose inputs are all plain Convs."""
    joint = graph.wiring.wires.maker(node.inputs[0])
    if joint is None or joint.op.name != "Concat" or not graph.wiring.alone(node.inputs[0]):
        return False
    if not graph.constant(node, node.inputs[1:]):
        return False
    parts = [graph.plain_conv(name) for name in joint.inputs if name]
    hosts = [graph.entry(part) for part in parts if part is not None]
    if not hosts or len(hosts) != len(parts) or joint.attributes.get("axis") not in (1, -3):
        return False
    graph.entry(node).fuse(max(hosts, key=lambda host: (_severity(host), -host.node.id)), fact)
    return True


def _relu(graph: _Graph, fact: Fact, node: Node) -> bool:
    conv = graph.plain_conv(node.inputs[0])
    if conv is None or conv.op.name not in fact.hosts:
        return False
    host, entry = graph.entry(conv), graph.entry(node)
    if host.verdict not in _MAY_RUN_ON_BPU:
        return False
    if graph.wiring.ends(entry) and graph.draft.facts.get("tail-relu") is not None:
        return False
    entry.fuse(host, fact)
    return True


def _add(graph: _Graph, fact: Fact, node: Node) -> bool:
    """Take a residual Add into the Conv that ends one side, or a bias Add into a product with a constant."""
    if len(node.inputs) != 2:
        return False
    convs = [conv for name in node.inputs if (conv := graph.plain_conv(name)) is not None]
    same = _same_shapes(graph, node) if convs else False
    if same is not False:
        host = graph.entry(max(convs, key=lambda candidate: candidate.id))
        if host.node.op.name in fact.hosts and host.verdict in _MAY_RUN_ON_BPU:
            if same:
                graph.entry(node).fuse(host, fact)
                graph.chain[node.outputs[0]] = host.node
                return True
            graph.entry(node).open_host = host
    for name in node.inputs:
        made = graph.wiring.wires.maker(name)
        if made is None or not _scales(graph, made) or not graph.wiring.alone(name):
            continue
        product = graph.entry(made)
        if product.host is None and product.verdict in _MAY_RUN_ON_BPU:
            graph.entry(node).fuse(product, fact)
            return True
    return False


def _scales(graph: _Graph, node: Node) -> bool:
    """Whether *node* is a product that the BPU computes as a Conv: by a constant matrix, or by a constant scalar."""
    if node.op.name == "MatMul":
        return len(node.inputs) == 2 and node.inputs[1] in graph.draft.constants[node.graph]
    return node.op.name == "Mul" and any(single_constant(graph.draft, node, index) for index in (0, 1))


def _same_shapes(graph: _Graph, node: Node) -> bool | None:
    """Whether both inputs of *node* have one shape; None where one of them is not known."""
    a, b = (static(value.shape) for value in graph.draft.model.input_values(node)[:2])
    return None if a is None or b is None else a == b


def _silu(graph: _Graph, fact: Fact, node: Node) -> bool:
    """Join x * Sigmoid(x): the Mul becomes one look-up table and keeps the limits of the Sigmoid."""
    wiring, resolve = graph.wiring, graph.wiring.resolve
    place = wiring.wires.only_reader(node.outputs[0])
    reader = wiring.wires.nodes[place]
    if place < 0 or reader.op.name not in fact.hosts or reader.op.domain:
        return False
    if {*map(resolve, reader.inputs)} != {resolve(node.inputs[0]), node.outputs[0]}:
        return False
    host = graph.entry(reader)
    if host.forced is not None:
        return False
    _absorb(graph, graph.entry(node), host, fact)
    return True


def _absorb(graph: _Graph, part: Entry, host: Entry, fact: Fact) -> None:
    """Fuse *part* into *host*, which takes over its failed and open checks and the worse of the two verdicts."""
    kept = graph.open_checks.get(id(part.local))
    if kept is None:
        kept = tuple([check for check in part.local.checks if check.outcome is not Outcome.PASS])
        graph.open_checks[id(part.local)] = kept
    if kept:
        host.checks = (*host.checks, *kept)
    if worst(host.verdict, part.local.verdict) is not host.verdict:
        host.verdict = part.local.verdict
        host.quantised = part.quantised
        host.because = (*part.because, *host.because)
        host.explain("fuse", fact.text, part, fact)
    host.standing = weakest(host.standing, part.local.standing)
    part.fuse(host, fact)


def _gelu(graph: _Graph, fact: Fact, node: Node) -> bool:
    """Join x * (1 + Erf(x / sqrt 2)) * 0.5, in either order of the products, into one look-up table on the last Mul."""
    wiring, entry = graph.wiring, graph.entry(node)
    scale = wiring.producer(entry.node.inputs[0])
    shifted = wiring.only_reader(entry.node.outputs[0])
    if scale is None or shifted is None or wiring.only_reader(entry.node.inputs[0]) is not entry:
        return False
    if scale.node.op.name not in ("Div", "Mul") or shifted.node.op.name != "Add":
        return False
    if not (_with_scalar(graph, scale.node) and _with_scalar(graph, shifted.node)):
        return False
    products = _gelu_products(graph, wiring.inputs(scale), shifted)
    if products is None or any(part.forced is not None for part in (scale, shifted, *products)):
        return False
    first, last = products
    for part in (scale, shifted, first):
        part.fuse(last, fact)
    _absorb(graph, entry, last, fact)
    return True


def _gelu_products(graph: _Graph, source: Sequence[str], shifted: Entry) -> tuple[Entry, Entry] | None:
    """The two Muls of a GELU: (x * shifted) * 0.5, or shifted * (x * 0.5); the one that ends the chain comes second."""
    wiring = graph.wiring
    output = shifted.node.outputs[0]
    product = wiring.only_reader(output)
    if product is None or product.node.op.name != "Mul":
        return None
    others = [name for name in wiring.inputs(product) if name != output]
    if others == source:
        last = wiring.only_reader(product.node.outputs[0])
        fits = last is not None and last.node.op.name == "Mul" and _with_scalar(graph, last.node)
        return (product, last) if last is not None and fits else None
    half = wiring.producer(others[0]) if len(others) == 1 else None
    if half is None or half.node.op.name != "Mul" or wiring.only_reader(others[0]) is not product:
        return None
    return (half, product) if wiring.inputs(half) == source and _with_scalar(graph, half.node) else None


def _with_scalar(graph: _Graph, node: Node) -> bool:
    return any(single_constant(graph.draft, node, index) for index in range(len(node.inputs)))


def _gemm_layout(graph: _Graph, fact: Fact, node: Node) -> bool:
    """Drop the reshaping before a Gemm that runs as a 1x1 Conv."""
    wiring = graph.wiring
    place = wiring.wires.only_reader(node.outputs[0])
    reader = wiring.wires.nodes[place]
    if place < 0 or reader.op.name not in fact.hosts or graph.entry(reader).verdict not in _MAY_RUN_ON_BPU:
        return False
    if reader.inputs[0] and wiring.resolve(reader.inputs[0]) != node.outputs[0]:
        return False
    feeding = wiring.producer(node.inputs[0])
    if feeding is None or feeding.top.verdict not in _MAY_RUN_ON_BPU:
        return False
    graph.entry(node).fuse(graph.entry(reader), fact)
    return True


def _severity(entry: Entry) -> int:
    return 0 if entry.verdict is Verdict.BPU else 1 if entry.verdict is Verdict.UNKNOWN else 2


_STEPS: dict[str, _Step] = {
    "fuse-bn": _bn,
    "fuse-bn-concat": _bn_concat,
    "fuse-relu": _relu,
    "fuse-add": _add,
    "fuse-silu": _silu,
    "fuse-gelu": _gelu,
    "fuse-gemm-layout": _gemm_layout,
}
