"""One line of the journal, and what the lines of a journal say together.

    checksum key place payload

Checksum: crc32 of the rest, 8 hexadecimal digits; key 64, place 16. The payload is `begun` (the agent is about to be paid),
`ended` (and gave no answer), or the answer as a JSON object. A line that was torn, glued or flipped fails its checksum.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from bencher.orchestration.question import KEY_VERSION, Question, from_json, to_bytes, to_json, to_text

BEGUN, ENDED = b"begun", b"ended"
_BEFORE = '{"answer":'
_SHOWN = 400
_PROMPT = len(f"[{KEY_VERSION},")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_KEY, _PLACE, _PAYLOAD, _SHORTEST = slice(9, 73), slice(74, 90), slice(91, None), 92


def line_of(key: str, place: str, payload: bytes) -> bytes:
    """The line, between two line feeds: whatever stands before it in the file, also half a line, stays apart from it."""
    body = b"%s %s %s" % (key.encode(), place.encode(), payload)
    return b"\n%08x %s\n" % (crc32(body), body)


class Records:
    """The last word of the journal on each key."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        """Key → payload of its answer."""
        self.places: dict[str, str] = {}
        """Place → the key that was answered there last."""
        self.in_flight: set[str] = set()
        """Keys that are being asked now, or were when their run died."""
        self.lines = self.damaged = 0

    def add_all(self, lines: Iterable[bytes]) -> None:
        """Take lines as they stand between line feeds; count the damaged ones and go on."""
        for line in lines:
            if not line:
                continue
            self.lines += 1
            if len(line) < _SHORTEST or line[:8] != b"%08x" % crc32(line[9:]):
                self.damaged += 1
            else:
                self.note(str(line[_KEY], "ascii"), str(line[_PLACE], "ascii"), line[_PAYLOAD])

    def note(self, key: str, place: str, payload: bytes) -> None:
        """What a sound line says."""
        if payload == BEGUN:
            self.in_flight.add(key)
            return
        self.in_flight.discard(key)
        if payload != ENDED:
            self.answers[key] = payload
            self.places[place] = key


def payload_of(question: Question, answer_json: str, *, place: str, run_id: str) -> bytes:
    """The answer, and for people: what was asked (its beginning), where in the program, which run paid."""
    return to_bytes(f'{_BEFORE}{answer_json},"asked":{_shown(question)},"place":"{place}","run_id":{run_id}}}')


def is_another_wording(payload: bytes, question: Question) -> bool:
    """Whether an answered question may be an older form of this one: half of the shorter prompt's words stand in both."""
    old, new = _words(record_of(payload)["asked"]), _words(from_json(_shown(question)))
    return 2 * (old & new).total() >= min(old.total(), new.total()) > 0


def _shown(question: Question) -> str:
    return question.asked if len(question.asked) <= _SHOWN else to_json(question.asked[:_SHOWN], what="")


def _words(shown: Any) -> Counter[str]:
    """Of the prompt: the second value of what was asked, or its beginning where that was too long to show."""
    return Counter(_WORD.findall(shown[_PROMPT:] if isinstance(shown, str) else to_json(shown[1], what="")))


def value_of(payload: bytes) -> Any:
    """The answer in a payload, a fresh copy each time."""
    return from_json(to_text(payload), len(_BEFORE))


def record_of(payload: bytes) -> dict[str, Any]:
    """All of a payload: answer, asked, place, run_id."""
    return from_json(to_text(payload))
