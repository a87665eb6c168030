"""Build a `Table` from a constraint file: groups, `like` rows and stand-ins are resolved to plain clauses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from inspector.placement import structure
from inspector.placement.expression import parse as parse_expression
from inspector.placement.predicates import PREDICATES
from inspector.placement.reader import bad
from inspector.placement.table import Clause, Fold, OpRules, Spec, Table
from inspector.placement.target import Device
from inspector.placement.verdict import Kernel, Side, Source, Standing, Verdict
from inspector.text import LANGUAGES, Text, render, say

NO_DOMAIN: Final = "ai.onnx"
"""Name of ONNX's own domain in tables."""


class TableBuilder:
    """Builds the table *id* from *data*; *others* are the tables already built, among them the one that stands in."""

    def __init__(self, table_id: str, data: Mapping[str, Any], others: Mapping[str, Table]) -> None:
        self.file = f"{table_id}.yaml"
        self.id = table_id
        self.data = structure.keys(data, structure.TABLE_KEYS, structure.TABLE_REQUIRED, self.file, "table")
        self.sources = {name: self._source(name, entry) for name, entry in data["sources"].items()}
        self.default = self._named_source(data["source"], "source")
        self.stand_in, self.drop = self._stand_in(others)

    def build(self) -> Table:
        """The table.

        Raises:
            ConstraintDataError: the data break a rule of the form.
        """
        title = structure.text_of(self.data["title"], self.file, "title")
        general = tuple(self._expand(self.data.get("general", []), "general", Side.BPU, self.default, "general"))
        names = structure.keys(self.data["ops"], frozenset(self.data["ops"]), (), self.file, "ops")
        ops = {key: rules for op in names for key, rules in self._op(op, general)}
        for key, rules in self._inherited(general):
            ops.setdefault(key, rules)
        graph = tuple(self._graph_clause(entry, f"graph[{i}]") for i, entry in enumerate(self.data.get("graph", [])))
        return Table(
            id=self.id,
            title=Text(title["en"], title["zh_CN"]),
            march=structure.string(self.data["march"], self.file, "march"),
            complete=structure.boolean(self.data["complete"], self.file, "complete"),
            ops=MappingProxyType(ops),
            graph=graph,
            sources=MappingProxyType(self.sources),
            stand_in=None if self.stand_in is None else self.stand_in.id,
        )

    def _stand_in(self, others: Mapping[str, Table]) -> tuple[Table | None, frozenset[str]]:
        entry = self.data.get("stand_in")
        if entry is None:
            return None, frozenset()
        entry = structure.keys(entry, frozenset({"table", "drop"}), ("table",), self.file, "stand_in")
        table = others.get(entry["table"])
        if table is None:
            raise bad(self.file, "stand_in.table", entry["table"], ", ".join(sorted(others)))
        return table, frozenset(structure.sequence(entry.get("drop", []), self.file, "stand_in.drop"))

    def _source(self, name: str, entry: Any) -> Source:
        key = f"sources.{name}"
        data = structure.keys(entry, structure.SOURCE_KEYS, ("document",), self.file, key)
        for part, value in data.items():
            structure.string(value, self.file, f"{key}.{part}")
        standing = structure.choice(data.get("standing", "documented"), list(Standing), self.file, f"{key}.standing")
        return Source(data["document"], data.get("section", ""), data.get("version", ""), data.get("read_on", ""),
                      Standing(standing))  # fmt: skip

    def _named_source(self, name: Any, key: str) -> Source:
        if not isinstance(name, str) or name not in self.sources:
            raise bad(self.file, key, repr(name), ", ".join(self.sources))
        return self.sources[name]

    def _row_source(self, op: Mapping[str, Any], key: str) -> Source:
        source = self._named_source(op["source"], f"{key}.source") if "source" in op else self.default
        if "row" not in op:
            return source
        return replace(source, section=f"{source.section}, row {op['row']}" if source.section else f"row {op['row']}")

    def _op(self, op: str, general: tuple[Clause, ...]) -> Iterator[tuple[str, OpRules]]:
        key = f"ops.{op}"
        data = structure.keys(self.data["ops"][op], structure.OP_KEYS, ("bpu", "kernel"), self.file, key)
        source = self._row_source(data, key)
        on_bpu = data["bpu"] != "none"
        bpu = tuple(self._expand(data["bpu"], f"{key}.bpu", Side.BPU, source, op)) if on_bpu else ()
        cpu = tuple(self._expand(data.get("cpu", []), f"{key}.cpu", Side.CPU, source, op))
        self._unique((*bpu, *cpu), key)
        kernel = structure.choice(data["kernel"], ["exists", "unstated", "none"], self.file, f"{key}.kernel")
        kernel_source = self._named_source(data["kernel_source"], key) if "kernel_source" in data else source
        device = data.get("default_device")
        rules = OpRules(
            op=op,
            bpu=on_bpu,
            clauses=((*general, *bpu) if on_bpu else ()) + cpu,
            kernel=Kernel(kernel),
            fold=Fold(structure.choice(data.get("fold", ""), list(Fold), self.file, f"{key}.fold")),
            default_device=None if device is None else Device(structure.choice(device, list(Device), self.file, key)),
            force_option=data.get("force_option", ""),
            lowering=tuple(self._text(text, f"{key}.lowering") for text in data.get("lowering", [])),
            source=source,
            kernel_source=kernel_source,
        )
        rules = replace(rules, context=contexts(rules.clauses))
        for domain in data.get("domains", [NO_DOMAIN]):
            yield (op if domain == NO_DOMAIN else f"{domain}::{op}"), rules

    def _unique(self, clauses: Sequence[Clause], key: str) -> None:
        seen: set[str] = set()
        for clause in clauses:
            if clause.id in seen:
                raise bad(
                    self.file, f"{key}.{clause.id}", "an id that stands twice", "ids that are unique per operator"
                )
            seen.add(clause.id)

    def _text(self, data: Any, key: str) -> Text:
        entry = structure.text_of(data, self.file, key)
        return Text(entry["en"], entry["zh_CN"])

    def _expand(
        self, entries: Any, key: str, side: Side, source: Source, op: str, guard: Spec | None = None
    ) -> Iterator[Clause]:
        for index, entry in enumerate(structure.sequence(entries, self.file, key)):
            where = f"{key}[{index}]"
            if not isinstance(entry, dict):
                raise bad(self.file, where, repr(entry), "a clause")
            if "alternative" in entry and "like" not in entry:
                allowed = frozenset({"alternative", "when", "clauses"})
                group = structure.keys(entry, allowed, ("alternative", "when", "clauses"), self.file, where)
                when = structure.predicate(group["when"], self.file, f"{where}.when")
                yield from self._expand(group["clauses"], f"{where}.clauses", side, source, op, both(guard, when))
            elif "like" in entry:
                yield from self._like(entry, where, side, op, guard)
            elif "stand_in" in entry:
                yield from self._borrowed(entry, where, guard)
            else:
                yield self._clause(entry, where, side, source, guard)

    def _like(self, entry: Mapping[str, Any], where: str, side: Side, op: str, guard: Spec | None) -> Iterator[Clause]:
        """Clauses of another row of this table, under this operator's name; `except` names those it has its own of."""
        allowed = frozenset({"like", "alternative", "only", "except", "when"})
        structure.keys(entry, allowed, ("like",), self.file, where)
        other = self.data["ops"].get(entry["like"])
        if other is None or other.get("bpu") == "none":
            raise bad(self.file, f"{where}.like", entry["like"], "an operator of this table with BPU clauses")
        when = both(guard, structure.predicate(entry["when"], self.file, where) if "when" in entry else None)
        entries = other["bpu"]
        if "alternative" in entry:
            entries = next((e["clauses"] for e in entries if e.get("alternative") == entry["alternative"]), None)
        only, left_out = entry.get("only"), entry.get("except", ())
        source = self._row_source(other, f"ops.{entry['like']}")
        for clause in self._expand(entries, f"ops.{entry['like']}.bpu", side, source, op, when):
            suffix = clause.id.partition(".")[2]
            if suffix not in left_out and (only is None or next(iter(clause.require)) in only):
                yield replace(clause, id=f"{kebab(op)}.{suffix}")

    def _borrowed(self, entry: Mapping[str, Any], where: str, guard: Spec | None) -> Iterator[Clause]:
        """BPU clauses of the table that stands in, for an operator that this table says more about."""
        structure.keys(entry, frozenset({"stand_in", "except"}), ("stand_in",), self.file, where)
        rules = None if self.stand_in is None else self._standing_in(entry["stand_in"])
        if rules is None:
            raise bad(self.file, f"{where}.stand_in", entry["stand_in"], "an operator of the table that stands in")
        left_out = set(entry.get("except", []))
        for clause in self._inferred(rules):
            if clause.id.partition(".")[2] not in left_out:
                yield replace(clause, when=both(guard, clause.when))

    def _standing_in(self, op: str) -> OpRules | None:
        if self.stand_in is None:
            return None
        return self.stand_in.rules("", op) or next(
            (rules for key, rules in self.stand_in.ops.items() if key.endswith(f"::{op}")), None
        )

    def _inferred(self, rules: OpRules) -> Iterator[Clause]:
        """BPU clauses of one operator of another table that may stand in, as INFERRED ones."""
        for clause in rules.clauses:
            suffix = clause.id.partition(".")[2]
            dropped = {suffix, next(iter(clause.require))} & self.drop
            if clause.side is Side.BPU and not clause.id.startswith("general.") and not dropped:
                yield replace(clause, source=replace(clause.source, standing=Standing.INFERRED))

    def _inherited(self, general: tuple[Clause, ...]) -> Iterator[tuple[str, OpRules]]:
        if self.stand_in is None:
            return
        for key, rules in self.stand_in.ops.items():
            clauses = tuple(self._inferred(rules))
            clauses = (*general, *clauses) if rules.bpu else ()
            source = replace(rules.source, standing=Standing.INFERRED)
            yield key, replace(
                rules, clauses=clauses, kernel=Kernel.UNSTATED, default_device=None, force_option="", source=source,
                kernel_source=source, stand_in=self.stand_in.title, context=contexts(clauses),
            )  # fmt: skip

    def _clause(self, entry: Mapping[str, Any], where: str, side: Side, source: Source, guard: Spec | None) -> Clause:
        names = [name for name in entry if name not in structure.CLAUSE_KEYS]
        if len(names) != 1 or "id" not in entry:
            raise bad(self.file, where, ", ".join(entry), "an id and one predicate")
        key = f"{where}({structure.string(entry['id'], self.file, where)})"
        note = names[0] == "note"
        require: Spec = {names[0]: entry[names[0]]}
        if note:
            structure.boolean(entry["note"], self.file, f"{key}.note")
        else:
            structure.predicate(require, self.file, key)
        when = structure.predicate(entry["when"], self.file, f"{key}.when") if "when" in entry else None
        otherwise = structure.choice(entry.get("otherwise", "CPU"), ["CPU", "UNSUPPORTED"], self.file, key)
        if note and "text" not in entry:
            raise bad(self.file, f"{key}.text", "nothing", "a text")
        return Clause(
            id=entry["id"],
            side=side,
            require=require,
            when=both(guard, when),
            otherwise=Verdict(otherwise),
            text=self._text(entry["text"], f"{key}.text") if "text" in entry else default_text(require),
            source=self._named_source(entry["source"], f"{key}.source") if "source" in entry else source,
            contradicted=self._text(entry["contradicted"], key) if "contradicted" in entry else None,
            note=note,
        )

    def _graph_clause(self, entry: Any, where: str) -> Clause:
        names = [name for name in entry if name not in structure.GRAPH_CLAUSE_KEYS] if isinstance(entry, dict) else []
        if len(names) != 1 or names[0] not in structure.GRAPH_PREDICATES or "id" not in entry:
            raise bad(self.file, where, repr(entry), ", ".join(sorted(structure.GRAPH_PREDICATES)))
        when = entry.get("when")
        if when is not None and not (isinstance(when, dict) and len(when) == 1 and when.keys() < _GRAPH_GUARDS):
            raise bad(self.file, f"{where}.when", repr(when), f"one of {', '.join(sorted(_GRAPH_GUARDS))}")
        return Clause(
            id=structure.string(entry["id"], self.file, where),
            side=Side.GRAPH,
            require={names[0]: entry[names[0]]},
            when=when,
            otherwise=Verdict.UNSUPPORTED,
            text=self._text(entry["text"], where) if "text" in entry else words(f"text.{names[0]}"),
            source=self._named_source(entry["source"], f"{where}.source") if "source" in entry else self.default,
            contradicted=self._text(entry["contradicted"], where) if "contradicted" in entry else None,
            stated_for=tuple(structure.sequence(entry.get("stated_for", []), self.file, f"{where}.stated_for")),
        )


_GRAPH_GUARDS: Final = structure.GRAPH_PREDICATES - {"min_bpu_nodes"}


def both(first: Spec | None, second: Spec | None) -> Spec | None:
    """One guard for two; None applies always."""
    if first is None or second is None:
        return first or second
    return {"all": [first, second]}


def contexts(clauses: Sequence[Clause]) -> frozenset[str]:
    """Context flags that *clauses* ask for."""
    found: set[str] = set()
    for clause in clauses:
        for spec in (clause.require, clause.when):
            if spec is not None:
                found.update(_flags(spec))
    return frozenset(found)


def _flags(spec: Any) -> Iterator[str]:
    for name, value in spec.items():
        if name == "context":
            yield value
        elif name == "not":
            yield from _flags(value)
        elif name in ("all", "any"):
            for part in value:
                yield from _flags(part)


@cache
def words(entry: str) -> Text:
    """A fixed phrase of the catalogue `constraints` in all languages."""
    return Text(*(render(say(f"constraints.{entry}"), language) for language in LANGUAGES))


def default_text(require: Spec) -> Text:
    """What a clause without words of its own limits, from its predicate."""
    name, parameters = next(iter(require.items()))
    if name == "attr":
        return Text(*(render(say("constraints.text.attr", name=parameters["name"]), lang) for lang in LANGUAGES))
    if name == "expr":
        subject = parse_expression(parameters if isinstance(parameters, str) else parameters["is"]).subject
        return Text(*(render(say("constraints.text.expr", subject=subject), lang) for lang in LANGUAGES))
    return words(f"text.{name}" if name in _WORDED else "text.default")


_WORDED: Final = frozenset(PREDICATES) - {"all", "any", "not", "note", "given", "qtype", "flow"}


def kebab(op: str) -> str:
    """Operator name as clause ids write it: `ConvTranspose` -> `conv-transpose`, `MatMul` -> `matmul`."""
    return _SPECIAL.get(op) or "".join(_hyphenated(op)).lower()


_SPECIAL: Final = {
    "IsNaN": "is-nan",
    "PRelu": "prelu",
    "MatMul": "matmul",
    "MatMulInteger": "matmul-integer",
    "QLinearMatMul": "qlinear-matmul",
    "QLinearConv": "qlinear-conv",
    "TfIdfVectorizer": "tf-idf-vectorizer",
}


def _hyphenated(op: str) -> Iterator[str]:
    for index, letter in enumerate(op):
        before, after = op[index - 1 : index], op[index + 1 : index + 2]
        starts_word = letter.isupper() and (before.islower() or before.isdigit() or after.islower())
        if index and starts_word:
            yield "-"
        yield letter
