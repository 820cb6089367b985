from unittest import mock


def test_publishes(monkeypatch):
    monkeypatch.setenv("ORDER_TOPIC", "arn:t")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    from services.orders import events
    events.sns = mock.Mock()
    events.order_placed({"id": 1, "customer_id": 2, "lines": [], "placed_at": "x"})
    assert events.sns.publish.call_count == 1
