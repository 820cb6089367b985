def store(name: str, content: bytes) -> None:
    for line in content.splitlines():
        print(name, len(line))
