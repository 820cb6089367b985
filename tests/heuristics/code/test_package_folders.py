"""Folders that are the words of a package say nothing of what the code is for."""

import pytest

from heuristics.code import is_example_path, is_production_code


@pytest.mark.parametrize(
    "path",
    [
        "src/main/java/com/example/shop/Orders.java",
        "services/pay/src/main/kotlin/example/pay/Bank.kt",
        "app/src/main/scala/org/demo/Main.scala",
        "src/commonMain/kotlin/sample/App.kt",
    ],
)
def test_code_in_a_package_called_example_runs_in_production(path: str) -> None:
    assert is_production_code(path)


@pytest.mark.parametrize(
    "path", ["examples/shop/src/main/java/com/acme/Orders.java", "example/main.go", "demo/app.py", "src/example/a.ts"]
)
def test_a_folder_of_examples_is_one(path: str) -> None:
    assert is_example_path(path)


def test_the_tests_of_a_package_stay_tests() -> None:
    assert not is_production_code("src/test/java/com/example/shop/OrdersTest.java")
