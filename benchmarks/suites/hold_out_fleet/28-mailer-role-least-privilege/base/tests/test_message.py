from statements.message import build


def test_build():
    assert b"statement.pdf" in build("a@b.example", b"x")
