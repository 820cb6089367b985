from tariffs import lookup


def test_an_unknown_postcode_is_404(monkeypatch):
    monkeypatch.setattr(lookup.table, "get_item", lambda Key: {})
    assert lookup.handler({"pathParameters": {"postcode": "0000"}}, None)["statusCode"] == 404
