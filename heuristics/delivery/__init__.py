"""Who takes messages and who is woken by what: consumers, subscriptions, dead letters and message fields that a change takes away."""

from heuristics.delivery.consumers import RemovedConsumer, removed_consumers
from heuristics.delivery.dead_letters import RemovedRedrive, removed_redrives
from heuristics.delivery.messages import ChangedMessage, changed_messages

__all__ = ["ChangedMessage", "RemovedConsumer", "RemovedRedrive", "changed_messages", "removed_consumers", "removed_redrives"]
