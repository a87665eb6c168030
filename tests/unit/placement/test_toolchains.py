"""Versions: what a user may call them, and what is known to differ between them."""

import pytest

from inspector.errors import UsageError
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.toolchains import Difference, Ground, Toolchain, between, find_toolchain
from inspector.text import Text

CATALOG = load_catalog()
TABLES = {"m": "m/base"}
THREE = (
    Toolchain("1.0", TABLES, components={"hbdk": "3.1", "ui": ">= 1.7.8"}),
    Toolchain("1.1", TABLES, components={"hbdk4": "3.1"}),
    Toolchain("2.0-rc4", TABLES, components={"hbdk4": "4.0"}),
)
VERSIONS = {
    "x3": ["1.0.0", "1.8.0", "2.6.6"],
    "x5": ["1.1.13", "1.1.14", "1.2.6", "1.2.8", "1.2.10"],
    "ultra": ["1.0.0"],
    "j5": ["1.0.0"],
    "s100": ["3.2.0", "3.5.0", "3.7.0"],
    "s100p": ["3.2.0", "3.5.0", "3.7.0"],
    "s600": ["3.7.0"],
    "j6e": ["3.9.0-rc4"],
    "j6m": ["3.9.0-rc4"],
    "j6p": ["3.5.0", "3.9.0-rc4"],
    "j6h": ["3.5.0", "3.9.0-rc4"],
    "j6b": ["3.9.0-rc4"],
}


def difference(name, since):
    return Difference(name, since, (), (), Text("d", "差"), Ground.REPORTED, "s")


@pytest.mark.parametrize(("platform", "versions"), VERSIONS.items())
def test_every_known_version_can_be_chosen(platform, versions):
    assert [toolchain.version for toolchain in CATALOG.platform(platform).toolchains] == versions
    for version in versions:
        assert resolve_target(CATALOG, platform, toolchain=version).toolchain == version


@pytest.mark.parametrize(
    ("platform", "wanted", "version"),
    [
        ("x5", "hb_mapper=1.24.3", "1.2.8"),
        ("x5", "1.24.3", "1.2.8"),
        ("x5", "HBDK=3.49.15", "1.2.8"),
        ("x5", "horizon-tc-ui=1.7.8", "1.1.14"),
        ("x3", "horizon_nn=0.13.3", "2.6.6"),
        ("s100", "hmct=2.4.1", "3.2.0"),
        ("s100", "hbdk=4.2.11", "3.2.0"),
        ("j6p", "hbdk4_compiler=4.11.2", "3.9.0-rc4"),
        ("j6e", "hmct=2.8.3", "3.9.0-rc4"),
        ("j6p", "v3.9.0_rc4", "3.9.0-rc4"),
    ],
)
def test_a_component_names_its_toolchain(platform, wanted, version):
    assert resolve_target(CATALOG, platform, toolchain=wanted).toolchain == version


@pytest.mark.parametrize(
    ("wanted", "version"), [("3.1", "1.1"), ("hbdk=3.1", "1.1"), ("1.0", "1.0"), ("4.0", "2.0-rc4")]
)
def test_of_several_that_fit_the_newest_is_taken(wanted, version):
    assert find_toolchain("p", THREE, wanted).version == version


@pytest.mark.parametrize(
    ("wanted", "named"),
    [("hbdk=9", "hbdk=3.1"), ("9", "2.0-rc4"), ("ui=1.9", "ui=1.7.8"), ("", "1.0"), ("=", "1.0")],
)
def test_a_version_that_is_not_known_lists_those_that_are(wanted, named):
    with pytest.raises(UsageError) as caught:
        find_toolchain("p", THREE, wanted)
    assert named in caught.value.message.args["allowed"]


@pytest.mark.parametrize(("a", "b"), [("1.0", "2.0-rc4"), ("2.0-rc4", "1.0")])
def test_differences_between_two_versions_begin_after_the_older(a, b):
    known = (difference("old", "1.0"), difference("mid", "1.1"), difference("new", "2.0-rc4"), difference("none", ""))
    assert [d.id for d in between(THREE, known, a, b)] == ["mid", "new"]
    assert between(THREE, known, a, a) == ()


def test_shipped_differences_name_versions_and_clauses_that_exist():
    for platform in CATALOG.platforms:
        versions = {toolchain.version for toolchain in platform.toolchains}
        tables = [CATALOG.tables[name] for toolchain in platform.toolchains for name in toolchain.tables.values()]
        clauses = {clause.id for table in tables for rules in table.ops.values() for clause in rules.clauses}
        clauses |= {"grid-sample.cpu-kernel"}  # made by the program where a table says that there is no kernel
        for entry in platform.differences:
            assert not entry.since or entry.since in versions
            assert clauses.issuperset(entry.clauses), entry.id
            assert entry.source


def test_every_shipped_version_says_who_names_it():
    assert all(toolchain.source for platform in CATALOG.platforms for toolchain in platform.toolchains)
    assert {t.ground for p in CATALOG.platforms for t in p.toolchains} == set(Ground)


def test_the_version_that_is_suggested_for_a_component_can_be_chosen():
    with pytest.raises(UsageError) as refused:
        resolve_target(CATALOG, "x5", toolchain="horizon_tc_ui=1.0.0")
    assert "horizon_tc_ui=1.7.8" in str(refused.value)
    assert ">=" not in str(refused.value)
    assert resolve_target(CATALOG, "x5", toolchain="horizon_tc_ui=1.7.8").toolchain == "1.1.14"
