def clamp(size: int) -> int:
    if size < 1:
        return 1
    if size > 200:
        return 200
    return size
