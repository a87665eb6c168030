"""Reading the equation of an Einsum: which index stands where and what becomes of it."""

from dataclasses import dataclass

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.pattern import Answers, fixed
from inspector.rewrite.rule import Refusal


@dataclass(frozen=True, slots=True)
class Equation:
    """An Einsum of one or two operands without repeated indices in a term.

    Attributes:
        terms: indices of each operand, in the order of its axes.
        output: indices of the result.
        sizes: length of each index; -1 for the one that may be open.
    """

    terms: tuple[str, ...]
    output: str
    sizes: dict[str, int]

    def private(self, operand: int) -> str:
        """Indices that only *operand* has and the result has not: they are summed first."""
        others = "".join(term for i, term in enumerate(self.terms) if i != operand) + self.output
        return "".join(index for index in self.terms[operand] if index not in others)

    def free(self, operand: int) -> str:
        """Indices of the result that only *operand* has, in the order of the result."""
        others = "".join(term for i, term in enumerate(self.terms) if i != operand)
        return "".join(index for index in self.output if index in self.terms[operand] and index not in others)

    @property
    def shared(self) -> str:
        """Indices of both operands and of the result: batches, in the order of the result."""
        return "".join(index for index in self.output if all(index in term for term in self.terms))

    @property
    def summed(self) -> str:
        """Indices of both operands that the result has not."""
        return "".join(i for i in self.terms[0] if i in self.terms[-1] and i not in self.output)

    def lengths(self, indices: str) -> tuple[int, ...]:
        """Length of each of *indices*."""
        return tuple(self.sizes[index] for index in indices)

    def product(self, indices: str) -> int:
        """Length of *indices* as one axis: -1 when one of them is open, 1 for none."""
        total = 1
        for size in self.lengths(indices):
            if size < 0:
                return -1
            total *= size
        return total


def read_equation(model: Model, node: Node, answers: Answers) -> Equation | Refusal:
    """The equation of the Einsum *node*, or what is in the way."""
    found = str(node.attributes.get("equation", ""))
    left, arrow, output = found.replace(" ", "").partition("->")
    terms = tuple(left.split(","))
    if len(terms) != len(node.inputs) or len(terms) not in (1, 2):
        return answers.refuse("einsum_operands", len(node.inputs))
    if "." in left or not all(index.isalpha() for index in (*left.replace(",", ""), *output)):
        return answers.refuse("einsum_ellipsis", found)
    if not arrow:
        output = "".join(sorted(index for index in set(left) - {","} if left.count(index) == 1))
    if any(len(set(term)) != len(term) for term in (*terms, output)):
        return answers.refuse("einsum_repeated", found)
    if not set(output) <= set("".join(terms)):
        return answers.refuse("odd_attribute", f"equation = {found}")
    sizes: dict[str, int] = {}
    for name, term in zip(node.inputs, terms, strict=True):
        shape = model.value(node.graph, name).shape
        if shape is None:
            return answers.refuse("unknown_shape", name)
        if len(shape) != len(term):
            return answers.refuse("odd_attribute", f"equation = {found}")
        for axis, index in enumerate(term):
            size = fixed(model, shape, axis)
            length = -1 if size is None else size
            if sizes.setdefault(index, length) != length:
                return answers.refuse("einsum_sizes", text(shape), index=index)
    if sum(length < 0 for length in sizes.values()) > 1:
        return answers.refuse("einsum_open", ", ".join(i for i, length in sizes.items() if length < 0))
    return Equation(terms, output, sizes)
