def single(order):
    return {"order": order["id"], "stops": 1}


def batched(order):
    return {"order": order["id"], "stops": min(4, order.get("open_nearby", 0) + 1)}
