def store(name, content):
    for line in content.splitlines():
        print(name, len(line))
