from enum import Enum


class DisputeState(str, Enum):
    OPEN = "open"
    WON = "won"
    LOST = "lost"
