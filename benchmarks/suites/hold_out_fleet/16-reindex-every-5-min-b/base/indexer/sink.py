def bulk(rows):
    count = 0
    for _ in rows:
        count += 1
    return count
