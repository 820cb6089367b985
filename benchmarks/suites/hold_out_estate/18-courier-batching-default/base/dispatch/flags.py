import logging

import ldclient
from ldclient import Context
from ldclient.config import Config

log = logging.getLogger("flags")


def start(sdk_key: str) -> None:
    ldclient.set_config(Config(sdk_key))
    if not ldclient.get().is_initialized():
        raise RuntimeError("flag service not reachable")


def courier_batching(city: str) -> bool:
    detail = ldclient.get().variation_detail("courier-batching", Context.builder(city).kind("city").build(), False)
    log.info("flag=courier-batching city=%s value=%s reason=%s", city, detail.value, detail.reason["kind"])
    return detail.value
