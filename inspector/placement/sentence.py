"""One sentence on a check, that stands alone: what was found, then what is allowed; without jargon and clause id.

`Kernel depth is 5, the BPU takes 1 to 2`. The sentence is one catalogue entry whose parts (subject, limit) are entries
too, chosen by the kind of limit; nothing is joined here.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from inspector.placement.finding import Words
from inspector.placement.verdict import Check, Outcome
from inspector.text import Message, Text, catalogue, render, say

_RANGE: Final = re.compile(r"(-?[\d.]+)\.\.(-?[\d.]+)")
_BETWEEN: Final = re.compile(r"> (-?[\d.]+), ≤ (-?[\d.]+)")
_LEAST, _MOST, _ABOVE, _BELOW, _EQUAL = "≥ ", "≤ ", "> ", "< ", "= "
_UNKNOWN: Final = "?"
_SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {_LEAST: "least", _MOST: "most", _ABOVE: "above", _BELOW: "below", _EQUAL: "one"}
)
_LONGEST_LIST: Final = 8
_AXES: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {1: ("width",), 2: ("height", "width"), 3: ("depth", "height", "width")}
)
_WINDOWS: Final = frozenset({"kernel_shape", "strides", "dilations"})
_VARIABLE: Final = re.compile(r"(k|stride_|dilation_)(d|h|w)")
_VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {"k": "kernel_shape", "stride_": "strides", "dilation_": "dilations", "d": "depth", "h": "height", "w": "width"}
)
_PLURAL: Final = frozenset(
    f"constraints.subject_{name}"
    for name in ("attributes", "broadcast", "changed_axes", "constants", "elements", "graph_domains", "indices",
                 "input_rank", "leading", "merged_rank", "n_inputs", "n_outputs", "pad_axes", "pieces",
                 "resize_axes", "roi", "same_dtype", "same_rank", "shapes")
) - {"constraints.subject_input_rank"}  # fmt: skip
_OPERATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "constraints.on_bpu": "no_bpu",
        "constraints.has_kernel": "no_kernel",
        "constraints.listed_operators": "unlisted",
    }
)
_REQUIRED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "constraints.allowed_same": "equal",
        "constraints.allowed_symmetric": "symmetric",
        "constraints.constant": "constant",
        "constraints.computed": "computed",
        "constraints.present": "present",
        "constraints.absent": "absent",
        "constraints.none": "none",
        "constraints.fixed": "fixed",
    }
)


def check_sentence(check: Check, language: str = "en") -> str:
    """The sentence on *check* in *language*; never empty, and true whatever the outcome is."""
    text = render(check_message(check), language)
    formula = isinstance(check.subject, str) and text.startswith(check.subject)
    # A name at the start of a Chinese sentence and a formula keep their case.
    return text if formula or language != "en" else text[:1].upper() + text[1:]


def own_note(check: Check) -> Text | None:
    """The clause's own words, or None where it has none and the words only name its kind of limit."""
    return check.note if check.note is not None and not _usual().fullmatch(check.note.en) else None


@cache
def _usual() -> re.Pattern[str]:
    """What clauses without words of their own say in English: the entries `text.*` of the constraint catalogue."""
    entries = (str(v) for key, v in catalogue("constraints", "en").items() if key.startswith("text."))
    return re.compile("|".join(re.sub(r"\\{\w+\\}", ".+", re.escape(entry)) for entry in entries))


def check_message(check: Check) -> Message:
    """The same, not yet in any language."""
    special = _operator(check) or _flag(check) or _formula(check)
    if special is not None:
        return special
    subject, limit = _subject(check.subject), _limit(check)
    number = "_plural" if isinstance(check.subject, Message) and check.subject.key in _PLURAL else ""
    if check.found == _UNKNOWN:
        return say(f"sentence.unknown{number}", subject=subject, limit=limit)
    words = "_words" if isinstance(check.found, Message) and check.found.key != "constraints.bytes" else ""
    return say(f"sentence.{_manner(check)}{number}{words}", subject=subject, found=check.found, limit=limit)


def _manner(check: Check) -> str:
    if check.outcome is not Outcome.UNKNOWN:
        return "is"
    return "partly" if _UNKNOWN in str(check.found) else "doubtful"


def _operator(check: Check) -> Message | None:
    """Checks on the operator itself: the BPU or the table does not have it."""
    entry = _OPERATORS.get(check.allowed.key) if isinstance(check.allowed, Message) else None
    if entry is None:
        return None
    doubtful = "_open" if check.outcome is Outcome.UNKNOWN else ""
    return say(f"sentence.{entry}{doubtful}", op=check.found)


def _flag(check: Check) -> Message | None:
    """Checks whose subject is a whole statement about the graph around the node."""
    if not isinstance(check.subject, Message) or not check.subject.key.startswith("constraints.context_"):
        return None
    entry = {Outcome.FAIL: "flag", Outcome.UNKNOWN: "flag_unknown", Outcome.PASS: "flag_holds"}[check.outcome]
    return say(f"sentence.{entry}", statement=check.subject, who=_who(check))


def _formula(check: Check) -> Message | None:
    """Checks by arithmetic: the clause's own words lead, since a formula explains nothing."""
    if not isinstance(check.subject, str) or _VARIABLE.fullmatch(check.subject):
        return None
    note = own_note(check)
    condition = check.allowed if check.subject == check.allowed else None
    limit = say("sentence.limit.condition", who=_who(check), allowed=condition) if condition else _limit(check)
    if check.found == _UNKNOWN:
        return say("sentence.unknown", subject=note or check.subject, limit=limit)
    entry = "condition" if condition is not None else "partly_formula" if _UNKNOWN in str(check.found) else "formula"
    if note is not None:
        return say(f"sentence.{entry}_noted", note=note, subject=check.subject, found=check.found, limit=limit)
    return say(f"sentence.{entry}", subject=check.subject, found=check.found, limit=limit)


def _subject(subject: Words) -> Words:
    if isinstance(subject, str):
        found = _VARIABLE.fullmatch(subject)
        return subject if found is None else say(f"sentence.part.{_VARIABLES[found[1]]}.{_VARIABLES[found[2]]}")
    if isinstance(subject, Text):
        return subject
    name, index, count = (subject.args.get(part) for part in ("name", "index", "count"))
    if subject.key == "constraints.subject_attribute_element" and name in _WINDOWS and isinstance(index, int):
        axes = _AXES.get(count, ()) if isinstance(count, int) else ()
        if index < len(axes):
            return say(f"sentence.part.{name}.{axes[index]}")
    if subject.key == "constraints.subject_attribute" and name in _WINDOWS:
        return say(f"sentence.part.{name}.all")
    entry = subject.key.removeprefix("constraints.subject_")
    if entry in ("attribute", "attribute_element", "operand", "graph_input", "opset"):
        return say(f"sentence.subject.{entry}", **dict(subject.args))
    return subject


def _limit(check: Check) -> Message:
    """What is allowed, as the second half of the sentence."""
    who, allowed = _who(check), check.allowed
    if isinstance(allowed, str):
        return _plain_limit(who, allowed, check)
    if isinstance(allowed, Message):
        if allowed.key == "constraints.not":
            inner = allowed.args["allowed"]
            same = inner == check.found
            return say(f"sentence.limit.{'refused' if same else 'not'}", who=who, allowed=_shown(inner))
        if allowed.key == "constraints.allowed_not_in":
            return say("sentence.limit.not", who=who, allowed=_shown(allowed.args["values"]))
        if allowed.key == "constraints.allowed_bytes":
            return say("sentence.limit.bytes", who=who, n=allowed.args["n"])
        if allowed.key == "constraints.allowed_count":
            return say("sentence.limit.count", who=who, count=allowed.args["count"])
        if allowed.key in _REQUIRED:
            return say(f"sentence.limit.{_REQUIRED[allowed.key]}", who=who)
    return say("sentence.limit.condition", who=who, allowed=allowed)


def _plain_limit(who: Message, allowed: str, check: Check) -> Message:
    found = _RANGE.fullmatch(allowed)
    if found is not None:
        return say("sentence.limit.range", who=who, low=found[1], high=found[2])
    between = _BETWEEN.fullmatch(allowed)
    if between is not None:
        return say("sentence.limit.between", who=who, low=between[1], high=between[2])
    for sign, entry in _SIGNS.items():
        if allowed.startswith(sign) and "," not in allowed:
            return say(f"sentence.limit.{entry}", who=who, value=allowed.removeprefix(sign))
    values = allowed.split(", ")
    if not _is_set(check, values):
        return say("sentence.limit.one", who=who, value=allowed)
    if len(values) > _LONGEST_LIST:
        return say("sentence.limit.many", who=who, n=len(values))
    return say("sentence.limit.list", who=who, values=_shown(", ".join(values[:-1])), last=values[-1])


def _is_set(check: Check, values: list[str]) -> bool:
    """Whether *values* are alternatives, and not the elements of one list such as `2, 2, 2`."""
    found = check.found if isinstance(check.found, str) else ""
    return len(values) > 1 and ", " not in found


def _shown(values: object) -> object:
    """A list as each language writes it; anything else as it is."""
    return Text(values, values.replace(", ", "、")) if isinstance(values, str) else values


def _who(check: Check) -> Message:
    return say(f"sentence.who.{check.side.value}")
