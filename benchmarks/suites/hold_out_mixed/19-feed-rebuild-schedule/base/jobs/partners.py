ALL = [f"partner-{i:03d}" for i in range(240)]


def write(partner, rows):
    n = 0
    with open(f"/out/{partner}.csv", "w") as f:
        for row in rows:
            f.write(",".join(map(str, row)) + "\n")
            n += 1
    return n
