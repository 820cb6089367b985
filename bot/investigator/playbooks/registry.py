"""Every playbook, in the order they are tried. When two would tell the same chain, the first tells it."""

from bot.investigator.playbook import Playbook
from bot.investigator.playbooks import (
    batch_and_visibility,
    concurrency,
    dropped_column,
    dropped_index,
    function_memory,
    lock_on_live_table,
    missing_name,
    removed_consumer,
    removed_name,
    retries,
    time_out,
    violated_constraint,
)

PLAYBOOKS: tuple[Playbook, ...] = (
    lock_on_live_table,
    dropped_index,
    dropped_column,
    violated_constraint,
    missing_name,
    removed_name,
    removed_consumer,
    time_out,
    retries,
    batch_and_visibility,
    function_memory,
    concurrency,
)
