from unittest import mock

from app import serialize


def test_item():
    with mock.patch.object(serialize.store, "price", return_value=990):
        assert serialize.item({"sku": "a", "added": "x"})["cents"] == 990
