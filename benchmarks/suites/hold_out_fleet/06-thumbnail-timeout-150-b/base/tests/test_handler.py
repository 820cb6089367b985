from thumbs.purge import handle


def test_purge():
    assert handle({}, None) == {"purged": 0}
