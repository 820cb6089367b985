SUPPORTED = frozenset({"EUR", "USD", "GBP"})
