from quotes import create_app


def test_create():
    client = create_app().test_client()
    assert client.post("/v1/quotes", json={"total": 12}).status_code == 201


def test_pdf_is_pdf():
    client = create_app().test_client()
    client.post("/v1/quotes", json={"total": 12})
    assert client.get("/v1/quotes/1/pdf").mimetype == "application/pdf"
