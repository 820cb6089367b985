from quotes import create_app


def test_create():
    client = create_app().test_client()
    assert client.post("/v1/quotes", json={"total": 12}).status_code == 201
