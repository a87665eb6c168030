"""Which tools there are."""

from inspector.errors import UsageError
from inspector.rewrite.tools.fold import FoldConstants
from inspector.rewrite.tools.freeze import FreezeDims
from inspector.rewrite.tools.names import RenameDuplicates
from inspector.rewrite.tools.nhwc import NhwcOutputs
from inspector.rewrite.tools.opset import ConvertOpset
from inspector.rewrite.tools.prune import RemoveDead
from inspector.rewrite.tools.simplify import Simplify
from inspector.rewrite.tools.tool import Tool
from inspector.text import say

TOOLS: tuple[Tool, ...] = (
    FreezeDims(),
    FoldConstants(),
    RemoveDead(),
    ConvertOpset(),
    RenameDuplicates(),
    NhwcOutputs(),
    Simplify(),
)
"""All tools, in the order of menus and help."""


def is_tool(operation: str) -> bool:
    """Whether *operation*, the id of a rule or a tool, is that of a tool."""
    return any(candidate.id == operation for candidate in TOOLS)


def tool(tool_id: str) -> Tool:
    """The tool with this id.

    Raises:
        UsageError: there is none.
    """
    for candidate in TOOLS:
        if candidate.id == tool_id:
            return candidate
    known = ", ".join(candidate.id for candidate in TOOLS)
    raise UsageError(say("tool.no_tool", tool=tool_id), say("tool.no_tool_help", tools=known))
