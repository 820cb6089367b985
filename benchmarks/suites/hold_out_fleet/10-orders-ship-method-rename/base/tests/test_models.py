from order_api.models import Order


def test_table():
    assert Order.__tablename__ == "orders"
