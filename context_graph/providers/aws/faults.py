"""What an error of AWS means for a scope: refused, too fast, not there, or a part that is missing."""

from collections.abc import Mapping
from typing import Any, cast

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    PartialCredentialsError,
    ReadTimeoutError,
    UnknownServiceError,
)

from context_graph.collecting import ScopeStatus

_DENIED = ("accessdenied", "unauthorized", "authfailure", "notauthorized", "invalidclienttokenid", "expiredtoken", "optinrequired",
           "signaturedoesnotmatch", "unrecognizedclient", "missingauthenticationtoken")  # fmt: skip
_THROTTLED = (
    "throttl",
    "toomanyrequests",
    "requestlimitexceeded",
    "slowdown",
    "provisionedthroughputexceeded",
    "limitexceeded",
    "priorrequestnotcomplete",
)
_UNSUPPORTED = ("subscriptionrequired", "unknownoperation", "invalidaction", "unsupportedoperation", "notsupportedinregion")
_VANISHED = ("404", "notfound", "nosuch", "resourcenotfound", "doesnotexist", "nonexistent", "queuedoesnotexist")


def code_of(error: ClientError) -> str:
    """The service's own error code."""
    return str(_part(error, "Error").get("Code", ""))


def is_vanished(error: Exception) -> bool:
    """The thing was there when it was listed and is gone now: nobody's fault."""
    return isinstance(error, ClientError) and any(word in _plain(code_of(error)) for word in _VANISHED)


def ends_the_scope(error: Exception) -> bool:
    """Nothing else of the service would answer either: it is not in this region, or nobody let us in."""
    return isinstance(error, EndpointConnectionError | UnknownServiceError | NoCredentialsError | PartialCredentialsError)


def status_of_fault(error: Exception) -> ScopeStatus:
    """How a scope ends when this error ended it. A region that does not offer the service is `unsupported`."""
    if isinstance(error, ClientError):
        code, http = _plain(code_of(error)), int(_part(error, "ResponseMetadata").get("HTTPStatusCode", 0))
        if any(word in code for word in _THROTTLED) or http == 429:
            return ScopeStatus.THROTTLED
        if any(word in code for word in _UNSUPPORTED):
            return ScopeStatus.UNSUPPORTED
        if any(word in code for word in _DENIED) or http in (401, 403):
            return ScopeStatus.DENIED
        return ScopeStatus.PARTIAL
    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return ScopeStatus.DENIED
    if isinstance(error, EndpointConnectionError | UnknownServiceError):
        return ScopeStatus.UNSUPPORTED
    if isinstance(error, ConnectTimeoutError | ReadTimeoutError | BotoCoreError):
        return ScopeStatus.PARTIAL
    return ScopeStatus.PARTIAL


def said(error: Exception) -> str:
    """One line for the reader: the code and the service's words, without the request's."""
    if isinstance(error, ClientError):
        message = str(_part(error, "Error").get("Message", ""))
        return f"{code_of(error)}: {message}".rstrip(": ")[:300]
    return f"{type(error).__name__}: {error}"[:300]


def _part(error: ClientError, name: str) -> Mapping[str, Any]:
    response = cast("Mapping[str, Any]", getattr(error, "response", {}))
    return response.get(name) or {}


def _plain(code: str) -> str:
    return code.replace("_", "").replace(".", "").replace("-", "").lower()
