from api.token import member_of


def test_garbage():
    assert member_of("Bearer x") is None
