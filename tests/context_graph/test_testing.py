"""The in-memory tree that other tests build on."""

from context_graph.testing import MemoryTree


def test_a_tree_gives_paths_text_and_side() -> None:
    tree = MemoryTree({"b": "x\r\ny", "a": None}, side="base")

    assert (tree.side, list(tree.paths()), tree.text("b"), tree.text("a"), tree.text("c")) == (
        "base",
        ["a", "b"],
        "x\ny",
        None,
        None,
    )


def test_search_finds_whole_words_with_their_lines() -> None:
    tree = MemoryTree({"a.py": "x = ORDERS_URL\ny = ORDERS", "b.sh": "echo $ORDERS my-key"})

    found = tree.search(["ORDERS", "my-key", "NONE"])

    assert [(p.file, p.line) for p in found["ORDERS"]] == [("a.py", 2), ("b.sh", 1)]
    assert [(p.file, p.line) for p in found["my-key"]] == [("b.sh", 1)]
    assert found["NONE"] == ()
