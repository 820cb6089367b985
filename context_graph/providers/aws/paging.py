"""All pages of a list. boto3 has paginators for most lists, not for all that come in pages."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

_TOKENS = ("NextToken", "nextToken")


def pages_of(client: Any, operation: str, parameters: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every page: by boto3's paginator, by the token that the operation takes and gives, or the one page that there is.

    Raises ValueError when a service gives the same token twice: that list would never end.
    """
    if client.can_paginate(operation):
        yield from client.get_paginator(operation).paginate(**parameters)
        return
    call, token_name = getattr(client, operation), _token_of(client, operation)
    if operation == "list_delivery_streams":
        yield from _after_the_last(call, parameters)
        return
    page: Mapping[str, Any] = call(**parameters)
    yield page
    before: Any = None
    while token_name and (token := page.get(token_name)):
        if token == before:
            raise ValueError(f"{operation} gave the same token twice")
        before = token
        page = call(**{**parameters, token_name: token})
        yield page


def _after_the_last(call: Callable[..., Mapping[str, Any]], parameters: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Firehose has no token: the next page starts after the last name of this one."""
    page = call(**parameters)
    yield page
    while page.get("HasMoreDeliveryStreams") and page["DeliveryStreamNames"]:
        page = call(**parameters, ExclusiveStartDeliveryStreamName=page["DeliveryStreamNames"][-1])
        yield page


def _token_of(client: Any, operation: str) -> str | None:
    model = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[operation])
    shapes = (model.input_shape, model.output_shape)
    members = [set(cast("Mapping[str, Any]", shape.members)) if shape is not None else set[str]() for shape in shapes]
    return next((name for name in _TOKENS if all(name in names for names in members)), None)
