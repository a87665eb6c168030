"""The shipped tables and platforms: complete, valid, resolvable; users' tables over them; searching."""

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from inspector.assets import constraints_dir
from inspector.errors import ConstraintDataError, UsageError
from inspector.placement.building import kebab
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.predicates import PREDICATES
from inspector.placement.reader import parse
from inspector.placement.structure import CLAUSE_KEYS, GRAPH_CLAUSE_KEYS, GRAPH_PREDICATES, PARAMETERS
from inspector.placement.target import Flow, Qtype, Target
from inspector.placement.verdict import Kernel, Side, Standing, Verdict
from tests.helpers.tables import BASE, NASH, table_data

CATALOG = load_catalog()
FILES = sorted(p for p in constraints_dir().glob("*/*.yaml") if p.parent.name != "context")
SCHEMA = json.loads((constraints_dir() / "schema.json").read_text("utf-8"))
COUNTS = json.loads((Path(__file__).parents[2] / "data" / "condition_counts.json").read_text("utf-8"))
PLATFORMS = ["x3", "x5", "ultra", "j5", "s100", "s100p", "s600", "j6e", "j6m", "j6p", "j6h", "j6b"]


def validator(kind):
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})


@cache
def contents(path):
    return parse(path.read_text("utf-8"), path.name)


def leaves(entries):
    for entry in [] if entries == "none" else entries:
        yield from leaves(entry["clauses"]) if "clauses" in entry else [entry]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_schema_accepts_each_table(path):
    assert list(validator("table").iter_errors(contents(path))) == []


def test_the_schema_is_one_and_accepts_the_platforms():
    Draft202012Validator.check_schema(SCHEMA)
    assert list(validator("platforms").iter_errors(contents(constraints_dir() / "platforms.yaml"))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"titel": "x"},
        {"complete": "no"},
        {"ops": {"relu": {"bpu": [], "kernel": "exists"}}},
        {"ops": {"Relu": {"bpu": [], "kernel": "exists", "gpu": []}}},
        {"ops": {"Relu": {"bpu": [{"id": "relu.a", "sise": {"eq": 1}}], "kernel": "exists"}}},
        {"ops": {"Relu": {"bpu": [{"id": "relu.a", "rank": {"equals": 1}}], "kernel": "exists"}}},
        {"ops": {"Relu": {"bpu": [{"id": "ReluA", "rank": {"eq": 1}}], "kernel": "exists"}}},
        {"ops": {"Relu": {"bpu": [{"id": "relu.a", "rank": {"eq": 1}, "dim": {"axis": 0}}], "kernel": "exists"}}},
        {"ops": {"Relu": {"bpu": [{"id": "relu.a", "note": True}], "kernel": "exists"}}},
        {"sources": {"list": {"document": "x", "read_on": "May 2026"}}},
    ],
)
def test_the_schema_refuses_what_is_not_of_the_form(change):
    assert list(validator("table").iter_errors(table_data())) == []
    assert list(validator("table").iter_errors(table_data(**change)))


def test_the_schema_knows_the_predicates_and_their_parameters():
    described = SCHEMA["$defs"]["predicate"]["properties"]
    assert set(described) == set(PREDICATES) - {"note"}
    for name, parameters in PARAMETERS.items():
        assert set(described[name]["properties"]) == parameters, name
    assert set(SCHEMA["$defs"]["clause"]["properties"]) == CLAUSE_KEYS | set(PREDICATES)
    assert set(SCHEMA["$defs"]["graph_clause"]["properties"]) == GRAPH_CLAUSE_KEYS | GRAPH_PREDICATES


def test_the_schema_accepts_the_tables_of_the_tests():
    for data in (BASE, NASH):
        assert list(validator("table").iter_errors(data)) == []


@pytest.mark.parametrize("table", sorted(COUNTS))
def test_no_operator_and_no_condition_is_lost(table):
    data = contents(constraints_dir() / f"{table}.yaml")["ops"]
    found = {op: [stated(row["bpu"]), stated(row.get("cpu", []))] for op, row in data.items()}
    assert found == COUNTS[table]


def stated(entries):
    """Conditions of a row; what builds contradict of one is a clause of its own, and no further condition."""
    return sum("contradicted" not in entry for entry in leaves(entries))


def test_notes_are_few():
    rows = [row for path in FILES for row in contents(path)["ops"].values()]
    notes = [
        entry["id"] for row in rows for side in ("bpu", "cpu") for entry in leaves(row.get(side, [])) if "note" in entry
    ]
    assert len(notes) <= 41, notes


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_what_builds_contradict_is_cut_out_of_the_clause_that_still_fires(path):
    """Each contradicted clause has a sister with the same requirement, which applies exactly where it does not."""
    data = contents(path)
    rows = [list(leaves(row["bpu"])) for row in data["ops"].values()] + [data["graph"]]
    for entries in rows:
        for entry in entries:
            if "contradicted" in entry:
                name = next(key for key in entry if key not in CLAUSE_KEYS)
                sisters = [e for e in entries if e.get(name) == entry[name] and e is not entry and "when" in e]
                assert [complement(e["when"]) for e in sisters] == [entry["when"]], entry["id"]


def complement(guard):
    name, value = next(iter(guard.items()))
    return value if name == "not" else {name: {"eq": value["not_in"][0]}} if len(value["not_in"]) == 1 else None


def test_published_tables_are_complete_and_nash_tables_are_not():
    complete = {table.id for table in CATALOG.tables.values() if table.complete}
    assert complete == {"bernoulli2/op-list", "bayes/op-list", "bayes-e/op-list"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_clause_ids_start_with_their_operator(path):
    for op, row in contents(path)["ops"].items():
        for side in ("bpu", "cpu"):
            for entry in leaves(row.get(side, [])):
                prefix = f"{kebab(op)}." + ("cpu-" if side == "cpu" else "")
                assert "id" not in entry or entry["id"].startswith(prefix), entry


def test_every_clause_has_words_in_both_languages_and_a_source():
    for table in CATALOG.tables.values():
        for clause in (*table.graph, *(c for rules in table.ops.values() for c in rules.clauses)):
            assert clause.text.en
            assert any("\u4e00" <= letter <= "\u9fff" for letter in clause.text.zh_CN), clause.id
            assert clause.source.document


def test_platforms_are_all_there_and_resolve_on_every_march_and_version():
    assert [platform.id for platform in CATALOG.platforms] == PLATFORMS
    for platform in CATALOG.platforms:
        for toolchain in platform.toolchains:
            for march in platform.marches:
                target = resolve_target(CATALOG, platform.id, toolchain=toolchain.version, march=march)
                assert CATALOG.table(target).ops


@pytest.mark.parametrize(
    ("platform", "march", "toolchain", "qtype"),
    [
        ("x3", "bernoulli2", "2.6.6", "int8"),
        ("x5", "bayes-e", "1.2.10", "int8"),
        ("ultra", "bayes", "1.0.0", "int8"),
        ("s600", "nash-p", "3.7.0", "float16"),
        ("j6e", "nash-e", "3.9.0-rc4", "int8"),
        ("j6p", "nash-p", "3.9.0-rc4", "float16"),
        ("j6h", "nash-h", "3.9.0-rc4", "float16"),
        ("j6b", "nash-b", "3.9.0-rc4", "int8"),
    ],
)
def test_defaults(platform, march, toolchain, qtype):
    target = resolve_target(CATALOG, platform)
    assert (target.march, target.toolchain, target.qtype, target.flow) == (march, toolchain, qtype, Flow.PTQ)
    assert CATALOG.default_qtype(target) == qtype


def test_an_unset_format_is_the_marchs_own():
    assert CATALOG.default_qtype(Target("j6p", "nash-p", "3.9.0-rc4")) is Qtype.FLOAT16


@pytest.mark.parametrize(
    ("platform", "options", "allowed"),
    [
        ("x9", {}, "x3"),
        ("X5", {}, "x5"),
        ("x5", {"toolchain": "9.9"}, "1.2.8"),
        ("j6b", {"march": "nash-p"}, "nash-b-lite"),
        ("x3", {"qtype": Qtype.INT16}, "int8"),
    ],
)
def test_what_is_not_offered_names_what_is(platform, options, allowed):
    with pytest.raises(UsageError) as error:
        resolve_target(CATALOG, platform, **options)
    assert allowed in str(error.value)


def test_an_impossible_target_has_no_table():
    with pytest.raises(UsageError):
        CATALOG.table(Target("x5", "nash-p", "1.2.8"))


def test_nash_takes_bayes_e_limits_as_inferences_only():
    table = CATALOG.table(resolve_target(CATALOG, "j6p"))
    for rules in table.ops.values():
        borrowed = [c for c in rules.clauses if rules.stand_in is not None and not c.id.startswith("general.")]
        assert all(c.source.standing is Standing.INFERRED for c in borrowed)
        assert all(next(iter(c.require)) != "quant" and not c.id.endswith(".general-rank") for c in borrowed)
        if rules.stand_in is not None:
            assert rules.kernel is Kernel.UNSTATED
            assert rules.default_device is None
            assert all(c.side is Side.BPU for c in rules.clauses)


def test_an_operator_in_no_table_is_unknown_on_nash_and_unsupported_on_x5():
    assert CATALOG.table(resolve_target(CATALOG, "j6p")).rules("", "HardSwish") is None
    assert CATALOG.table(resolve_target(CATALOG, "j6p")).unlisted is Verdict.UNKNOWN
    assert CATALOG.table(resolve_target(CATALOG, "x5")).unlisted is Verdict.UNSUPPORTED


def test_searching():
    assert {hit.clause.id for hit in CATALOG.clauses("Conv-Transpose.Kernel-Depth")} == {"conv-transpose.kernel-depth"}
    assert {hit.op for hit in CATALOG.clauses("gridsample")} == {"GridSample"}
    assert {hit.op for hit in CATALOG.clauses("model.opset")} == {""}
    by_document = CATALOG.clauses("field article on ConvTranspose3d on J6P")
    assert {hit.clause.id for hit in by_document} == {"conv-transpose.kernel-depth", "conv-transpose.stride"}
    assert CATALOG.clauses("no such thing") == ()
    assert set(CATALOG.operator("add")) == set(CATALOG.tables)
    assert CATALOG.operator("Nothing") == {}


def write(folder, name, data):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else yaml.safe_dump(data, allow_unicode=True), "utf-8")


def test_a_users_table_replaces_the_shipped_one(tmp_path):
    write(tmp_path, "bayes-e/op-list.yaml", table_data(march="bayes-e", ops={"Relu": {"bpu": [], "kernel": "exists"}}))
    ours = load_catalog(tmp_path)
    assert set(ours.table(resolve_target(ours, "x5")).ops) == {"Relu"}
    assert ours.digest != CATALOG.digest
    assert len(load_catalog().table(resolve_target(CATALOG, "x5")).ops) > 150


def test_a_users_platform_and_table_are_added(tmp_path):
    write(tmp_path, "mine/list.yaml", table_data())
    shipped = contents(constraints_dir() / "platforms.yaml")["platforms"]["x5"]
    tables = [{"version": "7.0.0", "tables": {"mine": "mine/list"}}]
    mine = shipped | {"marches": ["mine"], "qtypes": {"mine": ["int8"]}, "toolchains": tables}
    write(tmp_path, "platforms.yaml", {"platforms": {"z1": mine}})
    ours = load_catalog(tmp_path)
    assert [p.id for p in ours.platforms] == [*PLATFORMS, "z1"]
    assert ours.table(resolve_target(ours, "z1")).id == "mine/list"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("mine/list.yaml", table_data(complete="no"), ("mine/list.yaml", "complete")),
        ("mine/list.yaml", "march: a\nmarch: b\n", ("mine/list.yaml", "line 2")),
        ("mine/list.yaml", "- a\n", ("mine/list.yaml", "a mapping")),
        ("platforms.yaml", "platforms: [x5]\n", ("platforms.yaml", "platforms")),
        ("platforms.yaml", "platform: {}\n", ("platforms.yaml", "file.platform")),
        ("platforms.yaml", {"platforms": {"z": {"title": {"en": "Z", "zh_CN": "Z"}}}}, ("platforms.yaml", "z.chips")),
    ],
)
def test_a_users_fault_names_file_and_key(tmp_path, name, data, words):
    write(tmp_path, name, data)
    with pytest.raises(ConstraintDataError) as error:
        load_catalog(tmp_path)
    assert all(word in str(error.value) for word in words)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"toolchains": [{"version": 1.2, "tables": {"bayes-e": "bayes-e/op-list"}}]}, "version"),
        ({"toolchains": [{"version": "1", "tables": {"bayes-e": "no/such"}}]}, "tables.bayes-e"),
        ({"toolchains": [{"version": "1", "tables": {"other": "bayes-e/op-list"}}]}, "tables.other"),
        ({"qtypes": {"bayes-e": ["int4"]}}, "qtypes"),
        ({"flows": ["training"]}, "flows"),
        ({"marches": "bayes-e"}, "marches"),
    ],
)
def test_a_fault_in_a_platform_names_its_key(tmp_path, change, key):
    shipped = contents(constraints_dir() / "platforms.yaml")["platforms"]["x5"]
    write(tmp_path, "platforms.yaml", {"platforms": {"x5": dict(shipped) | change}})
    with pytest.raises(ConstraintDataError, match="platforms") as error:
        load_catalog(tmp_path)
    assert key in str(error.value)


def test_the_digest_is_stable_and_short():
    assert load_catalog().digest == CATALOG.digest
    assert len(CATALOG.digest) == 8
    assert int(CATALOG.digest, 16) >= 0
