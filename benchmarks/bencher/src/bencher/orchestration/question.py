"""What is asked, and the key under which its answer is found again."""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, cast

KEY_VERSION = 1
"""Part of every key. Raise it when the canonical form changes: old answers are then asked again, never mistaken."""

_canonical = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_in_order = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_HOLDERS = (dict, list, tuple)
_read = json.JSONDecoder().raw_decode


class NotCanonical(TypeError, ValueError):
    """A value that JSON cannot write in exactly one way (a set, NaN, bytes, an object, a key that is no text)."""


class Question(NamedTuple):
    """One question. Equal questions have equal keys in every process, on every platform, under every hash seed."""

    key: str
    asked: str
    """Canonical JSON of [key version, prompt, options, sample]; the key is its sha256."""

    @classmethod
    def of(cls, prompt: Any, options: Any, sample: int) -> "Question":
        """Refuse (NotCanonical) what has no canonical form; nothing has been paid by then.

        1, "1", 1.0 and true differ; a tuple is a list; the order of keys does not matter.
        """
        if type(sample) is not int:
            raise NotCanonical(f"sample is {sample!r}; give the number of the repeat, a whole number from 0")
        if options is not None and type(options) is not dict and not isinstance(options, Mapping):
            raise NotCanonical(f"options are {options!r:.60}; give a dict, or None for none")
        prompt_json = to_json(prompt, what="the prompt", write=_canonical)
        options_json = to_json(dict(cast("Mapping[str, Any]", options)), what="options", write=_canonical) if options else "{}"
        asked = f"[{KEY_VERSION},{prompt_json},{options_json},{sample}]"
        return cls(sha256(to_bytes(asked)).hexdigest(), asked)

    def for_agent(self) -> tuple[Any, Any]:
        """Prompt and options as the key has them, fresh for each attempt: nobody can change them behind the key."""
        _, prompt, options, _ = from_json(self.asked)
        return prompt, options


def key_of(prompt: Any, options: Mapping[str, Any] | None = None, sample: int = 0) -> str:
    """sha256 of canonical JSON of [key version, prompt, options, sample], in hexadecimal."""
    return Question.of(prompt, options, sample).key


def to_json(value: Any, *, what: str, write: Callable[[Any], str] = _in_order) -> str:
    """JSON on one line that reads back as the same value; NotCanonical where there is none."""
    try:
        text = write(value)
        if isinstance(value, _HOLDERS):
            _refuse_keys_that_are_no_text(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotCanonical(
            f"{what} cannot be written as JSON: {error}; use text, numbers, true, false, null, lists, dicts"
        ) from error
    return text


def from_json(text: str, start: int = 0) -> Any:
    """The value that begins at `start`; what follows it is left alone."""
    return _read(text, start)[0]


def to_bytes(text: str) -> bytes:
    """UTF-8 in which lone surrogates keep apart: two halves are not the character that they would make."""
    return text.encode("utf-8", "surrogatepass")


def to_text(data: bytes) -> str:
    """The opposite of `to_bytes`."""
    return data.decode("utf-8", "surrogatepass")


def _refuse_keys_that_are_no_text(value: Any) -> None:
    inside: Iterable[Any] = ()
    if isinstance(value, dict):
        keyed = cast("dict[Any, Any]", value)
        for key in keyed:
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is no text")
        inside = keyed.values()
    else:
        inside = cast("Iterable[Any]", value)
    for inner in inside:
        if isinstance(inner, _HOLDERS):
            _refuse_keys_that_are_no_text(inner)
