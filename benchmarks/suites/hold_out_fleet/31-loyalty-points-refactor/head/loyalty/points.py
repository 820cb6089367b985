FACTORS = {"gold": 3, "silver": 2}


def points_for(cents: int, tier: str) -> int:
    return cents // 100 * FACTORS.get(tier, 1)
