from . import store


def item(row: dict) -> dict:
    return {"sku": row["sku"], "added": row["added"], "cents": store.price(row["sku"])}
