"""Every tool, in the order a model reads them, and how one is run whatever it was called with."""

from typing import Any

from pydantic import ValidationError

from bot.investigator.conversation import ToolCall, ToolInfo, ToolResult
from bot.investigator.data_block import data_block
from bot.investigator.desk import Desk, SourceFailed
from bot.investigator.drafting import explained
from bot.investigator.tools import (
    add_link,
    blame_or_history,
    cite,
    database_statistics,
    forecast,
    get_configuration,
    graph_neighbours,
    graph_path,
    list_changes,
    log_patterns,
    propose_trajectory,
    query_metric,
    read_file,
    record_verdict,
    refute,
    replay_migration,
    search_code,
)
from bot.investigator.tools.tool import Tool
from gonogo.redaction import redacted

TOOLS: tuple[Tool[Any], ...] = tuple(
    module.TOOL
    for module in (
        list_changes, read_file, search_code, blame_or_history, graph_neighbours, graph_path, query_metric, log_patterns,
        get_configuration, database_statistics, replay_migration, forecast, propose_trajectory, add_link, cite, refute,
        record_verdict,
    )
)  # fmt: skip
"""Reading tools, then those that write drafts, then the one that ends a conversation."""

_BY_NAME = {tool.name: tool for tool in TOOLS}


def tool_infos() -> tuple[ToolInfo, ...]:
    """The tools as a model is told of them."""
    return tuple(tool.info for tool in TOOLS)


def run(call: ToolCall, desk: Desk) -> ToolResult:
    """The answer to a call, as a block of data without secrets. Never raises: the model is told what was wrong with its call."""
    tool = _BY_NAME.get(call.name)
    if tool is None:
        return ToolResult(call.id, f"there is no tool {call.name[:60]}; there are {', '.join(_BY_NAME)}", is_error=True)
    if call.arguments is None:
        return ToolResult(call.id, f"the arguments of {call.name} are no JSON object: {redacted(call.raw[:200])}", is_error=True)
    try:
        answer = tool.run(tool.arguments.model_validate(dict(call.arguments)), desk)
    except ValidationError as error:
        return ToolResult(call.id, redacted(f"wrong arguments of {call.name}: {explained(error)}"), is_error=True)
    except SourceFailed as error:
        said = data_block(call.name, redacted(f"query: {call.name}\nthe source failed: {error}"))
        return ToolResult(call.id, said, is_error=True)
    except Exception as error:  # noqa: BLE001  a fault of a tool is told like any other; the investigation goes on
        said = data_block(call.name, redacted(f"{call.name} failed: {type(error).__name__}: {error}"))
        return ToolResult(call.id, said, is_error=True)
    return ToolResult(call.id, data_block(call.name, redacted(answer.text())), is_error=answer.is_error)
