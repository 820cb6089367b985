import geocode


def test_batch_without_failures(monkeypatch):
    monkeypatch.setattr(geocode, "locate", lambda a: None)
    assert geocode.handler({"Records": [{"messageId": "1", "body": "{}"}]}, None) == {"batchItemFailures": []}
