import geocode


def test_batch(monkeypatch):
    monkeypatch.setattr(geocode, "locate", lambda a: None)
    assert geocode.handler({"Records": [{"messageId": "1", "body": "{}"}]}, None) == {"batchItemFailures": []}
