ROOMS = {1: "single", 2: "double"}


def kind(room_id: int) -> str:
    return ROOMS.get(room_id, "unknown")
