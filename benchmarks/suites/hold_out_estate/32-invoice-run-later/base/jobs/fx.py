RATES = {"EUR": 1.0}


def rate(currency: str) -> float:
    return RATES[currency]
