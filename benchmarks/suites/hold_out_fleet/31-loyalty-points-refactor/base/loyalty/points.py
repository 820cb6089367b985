def points_for(cents: int, tier: str) -> int:
    if tier == "gold":
        factor = 3
    elif tier == "silver":
        factor = 2
    else:
        factor = 1
    return cents // 100 * factor
