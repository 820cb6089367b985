import json


def test_tenants_are_unique():
    names = json.load(open("tenants.json"))
    assert len(names) == len(set(names))
