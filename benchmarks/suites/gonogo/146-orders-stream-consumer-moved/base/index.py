def put(image: dict) -> None:
    print("indexed", image["id"]["S"])
