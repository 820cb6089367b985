def total(prices: list) -> int:
    return sum(prices)
