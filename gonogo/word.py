"""The base of every word: a frozen value that round-trips through JSON and refuses what it does not know."""

from typing import Annotated, Any, NewType

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

Instant = AwareDatetime
"""A point in time that knows its offset; naive instants are refused."""

ResourceId = NewType("ResourceId", str)
"""An opaque id: an ARN, or `provider:type:name`."""

Json = Annotated[Any, Field(description="any JSON value")]
"""A value as the provider gave it; never interpreted without looking at its type."""


class Word(BaseModel):
    """Frozen, closed, equal by content; `model_validate_json(model_dump_json())` gives it back."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True)
