"""Every part of an account that is read, and the permissions that takes."""

from context_graph.providers.cloudflare.asking import Service
from context_graph.providers.cloudflare.services import hyperdrive, queues, routes, stores, workers, zones

SERVICES: tuple[Service, ...] = (
    Service("kv", stores.collect_kv, stores.KV_PERMISSIONS),
    Service("d1", stores.collect_d1, stores.D1_PERMISSIONS),
    Service("r2", stores.collect_r2, stores.R2_PERMISSIONS),
    Service("durable_objects", stores.collect_durable_objects, stores.DURABLE_OBJECT_PERMISSIONS),
    Service("queues", queues.collect, queues.PERMISSIONS),
    Service("hyperdrive", hyperdrive.collect, hyperdrive.PERMISSIONS),
)
"""Those that are read by themselves; zones, their routes and Workers lean on each other: account.py."""

ACCOUNT_PERMISSIONS = ("Account: Account Settings Read",)
"""Finding the accounts of a token; not needed where CLOUDFLARE_ACCOUNT_ID names them."""


def all_permissions() -> list[str]:
    """Every permission that a sync uses, sorted."""
    own = (zones.PERMISSIONS, routes.PERMISSIONS, workers.PERMISSIONS, ACCOUNT_PERMISSIONS)
    return sorted({one for some in (*own, *(service.permissions for service in SERVICES)) for one in some})
