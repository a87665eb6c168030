"""One sentence on a check: what was found, then what is allowed, in both languages and for every clause."""

import re
from dataclasses import replace

import numpy as np
import pytest

from inspector.placement.building import default_text
from inspector.placement.catalog import load_catalog
from inspector.placement.predicates import evaluate
from inspector.placement.sentence import check_sentence
from inspector.placement.verdict import Check, Outcome, Side, Source
from inspector.text import LANGUAGES, Text, say
from tests.helpers.facts import facts_of, weakened

SOURCE = Source("list")


def check(subject, found, allowed, outcome=Outcome.FAIL, side=Side.BPU, note=None):
    return Check("a.b", side, outcome, subject, found, allowed, SOURCE, note)


def element(name, index, count):
    return say("constraints.subject_attribute_element", name=name, index=index, count=count)


RANK = say("constraints.subject_rank", operand="X")
STRIDES = say("constraints.subject_attribute", name="strides")


@pytest.mark.parametrize(
    ("made", "english", "chinese"),
    [
        (
            check(element("kernel_shape", 0, 3), "5", "1..2"),
            "Kernel depth is 5, the BPU takes 1 to 2",
            "卷积核深度为 5，BPU 只接受 1 到 2",
        ),
        (
            check(STRIDES, "2, 2, 2", say("constraints.not", allowed="2, 2, 2")),
            "Stride is 2, 2, 2, which the BPU refuses here",
            "步长为 2, 2, 2，BPU 在此不接受该值",
        ),
        (
            check(RANK, "?", "3, 4", Outcome.UNKNOWN),
            "Rank of X is unknown, so it cannot be checked; the BPU takes 3 or 4",
            "X 的维数未知，无法检查；BPU 只接受 3 或 4",
        ),
        (
            check(say("constraints.subject_opset"), "17", "10..11", side=Side.GRAPH),
            "Opset is 17, the toolchain takes 10 to 11",
            "opset 版本为 17，工具链只接受 10 到 11",
        ),
        (
            check(say("constraints.subject_operator"), "GridSample", say("constraints.listed_operators"),
                  Outcome.UNKNOWN),
            "No clause for GridSample in the table of this target, so the verdict is unknown",
            "本目标的算子表中没有 GridSample 的条款，结论为未知",
        ),
        (
            check(say("constraints.subject_operand", operand="W"), say("constraints.computed"),
                  say("constraints.constant")),
            "Input W is computed, the BPU takes a constant only",
            "输入 W 的内容为运行时计算，BPU 只接受常量",
        ),
        (
            check("kd*cin", "9000", "≤ 8192", note=Text("kernel depth times input channels", "卷积核深度乘输入通道数")),
            "Kernel depth times input channels: kd*cin is 9000, the BPU takes at most 8192",
            "卷积核深度乘输入通道数：kd*cin 为 9000，BPU 最多接受 8192",
        ),
        (
            check("kw", "9", "≤ 7", note=default_text({"expr": "kw <= 7"})),
            "Kernel width is 9, the BPU takes at most 7",
            "卷积核宽度为 9，BPU 最多接受 7",
        ),
        (
            check(say("constraints.subject_dtype", operand="X"), "float64", "int8, int16, float16", side=Side.CPU),
            "Dtype of X is float64, the CPU kernel takes int8, int16 or float16",
            "X 的数据类型为 float64，CPU 实现只接受 int8、int16 或 float16",
        ),
    ],
)  # fmt: skip
def test_sentence_says_found_then_allowed(made, english, chinese):
    assert check_sentence(made) == english
    assert check_sentence(made, "zh_CN") == chinese


def test_a_list_that_is_one_value_is_not_a_choice():
    text = check_sentence(check(STRIDES, "1, 2", "2, 2"))
    assert text == "Stride is 1, 2, the BPU takes only 2, 2"


def test_a_limit_that_may_not_apply_says_so():
    assert "whether this limit applies is unknown" in check_sentence(check(RANK, "5", "4", Outcome.UNKNOWN))


def test_a_formula_keeps_its_case():
    assert check_sentence(check("kd*cin", "9000", "≤ 8192")).startswith("kd*cin is 9000")


def ways_to_look(op):
    """Facts on which a clause of any operator finds something to look at: ranks 3 to 5, and each fact lost."""
    window = {"kernel_shape": [3, 5], "strides": [2, 3], "dilations": [1, 2], "pads": [1, 1, 1, 1], "group": 2}
    weight = np.zeros((4, 3, 3, 5), np.float32)
    found = [
        facts_of(op, [[1, 6, 9, 9], weight, [6]], [[1, 4, 7, 7]], **window),
        facts_of(op, [[2, 3, 1, 9, 9], [2, 3, 1, 9, 9]], [[2, 3, 1, 9, 9]], axis=1, axes=[1], keepdims=1,
                 perm=[0, 2, 1], mode="linear", split=[1, 2], to=1),
        facts_of(op, [[1, 9, 9]], [[1, 9, 9]]),
    ]  # fmt: skip
    return (*found, *tuple(weakened(found[0]))[::3])


def findings():
    """(side, clause, finding) of every clause of every table that finds something to look at."""
    facts, done = {}, set()
    for table in load_catalog().tables.values():
        for rules in table.ops.values():
            op = rules.op.rpartition("::")[2]
            for clause in rules.clauses:
                key = op, clause.side, repr(clause.require)
                if clause.note or key in done:
                    continue
                done.add(key)
                for looked in facts.setdefault(op, ways_to_look(op)):
                    found = evaluate(clause.require, looked)
                    if found is not None:
                        yield clause, found


def test_every_clause_of_every_table_makes_a_sentence_in_both_languages():
    seen, clauses = set(), set()
    for clause, found in findings():
        made = Check(clause.id, clause.side, found.outcome, found.subject, found.found, found.allowed, SOURCE,
                     clause.text)  # fmt: skip
        clauses.add(clause.id)
        for outcome in {found.outcome, Outcome.FAIL}:
            for language in LANGUAGES:
                text = check_sentence(replace(made, outcome=outcome), language)
                if text in seen:
                    continue
                seen.add(text)
                assert text.strip(), clause.id
                assert not re.search(r"[{}]|None|Message\(|Text\(", text), (clause.id, text)
                assert language == "zh_CN" or not re.search(r"[一-鿿]", text), (clause.id, text)
                assert language == "en" or not re.search(r"[一-鿿] [一-鿿]|[一-鿿][,;:]", text), (clause.id, text)
    assert len(clauses) > 150
    assert len(seen) > 300
