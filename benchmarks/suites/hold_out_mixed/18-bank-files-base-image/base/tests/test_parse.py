from bankfiles import parse


def test_store(capsys):
    parse.store("a", b"one\ntwo")
    assert capsys.readouterr().out.count("a ") == 2
