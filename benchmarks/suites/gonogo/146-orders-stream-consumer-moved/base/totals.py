def rebuild() -> None:
    print("totals rebuilt")
