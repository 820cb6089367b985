from enum import Enum


class DisputeState(str, Enum):
    OPEN = "open"
    ESCALATED = "escalated"
    WON = "won"
    LOST = "lost"
