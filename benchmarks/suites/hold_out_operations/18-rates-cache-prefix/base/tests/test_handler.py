def test_import():
    assert True
