def total(prices: list) -> int:
    sum_ = 0
    for p in prices:
        sum_ = sum_ + p
    return sum_
