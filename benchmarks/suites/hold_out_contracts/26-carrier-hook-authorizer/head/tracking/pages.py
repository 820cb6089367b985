def clamp(size: int) -> int:
    return max(1, min(size, 200))
