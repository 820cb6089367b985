"""Dataclasses whose methods are written when the first object is made.

`dataclasses.dataclass` writes and compiles six methods a class, about a millisecond; one evaluation loads two hundred
classes and makes objects of fifty.
"""

import dataclasses
import threading
from typing import Any, dataclass_transform

_waiting: dict[type, dict[str, bool]] = {}
_one_at_a_time = threading.RLock()


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class Record:
    """Base of dataclasses: `class Span(Record)`, frozen unless it says `frozen=False`.

    A class becomes a dataclass at its first object or its first subclass, and one that is derived from another record at
    once; until then `dataclasses.fields` does not know it.
    """

    def __init_subclass__(cls, *, frozen: bool = True, eq: bool = True, kw_only: bool = False) -> None:
        """Remember what to make of the class."""
        super().__init_subclass__()
        _waiting[cls] = {"frozen": frozen, "eq": eq, "kw_only": kw_only}
        parents = [base for base in cls.__bases__ if base is not Record and issubclass(base, Record)]
        for each in (*parents, cls) if parents else ():
            _complete(each)

    def __init__(self, *values: Any, **named: Any) -> None:
        """Stand in for the `__init__` that the first object brings about."""
        _complete(type(self))
        type(self).__init__(self, *values, **named)


def _complete(cls: type) -> None:
    with _one_at_a_time:
        wanted = _waiting.pop(cls, None)
        if wanted is not None:
            dataclasses.dataclass(**wanted)(cls)
