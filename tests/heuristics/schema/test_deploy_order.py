"""When migrations run, as the files of a repository show it."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.schema.deploy_order import deploy_order, order_by_folder


@pytest.mark.parametrize(
    ("path", "text", "moment"),
    [
        ("Procfile", "release: python manage.py migrate\nweb: gunicorn shop\n", "before"),
        ("deploy/job.yaml", 'annotations:\n  helm.sh/hook: pre-upgrade\nargs: ["bin/rails", "db:migrate"]\n', "before"),
        ("k8s/web.yaml", 'initContainers:\n  - name: migrate\n    command: ["alembic", "upgrade", "head"]\n', "boot"),
        ("package.json", '{"scripts": {"start": "prisma migrate deploy && node server.js"}}\n', "boot"),
        ("pom.xml", "<artifactId>flyway-core</artifactId>\n", "boot"),
        ("cmd/main.go", "package main\nfunc main() { m.Up() }\n", "boot"),
        (
            ".github/workflows/deploy.yml",
            "steps:\n  - run: kubectl rollout restart deploy/web\n  - run: npx knex migrate:latest\n",
            "after",
        ),
        ("README.md", "nothing about it\n", "unknown"),
    ],
)
def test_the_step_that_applies_migrations_is_found(path: str, text: str, moment: str) -> None:
    assert deploy_order(MemoryTree({path: text})).moment == moment


def test_a_folder_may_say_it() -> None:
    manual, later = order_by_folder("manual-sql/2026-05.sql"), order_by_folder("db/post_migrate/1_x.rb")

    assert manual is not None
    assert manual.moment == "by-hand"
    assert later is not None
    assert later.moment == "after"
    assert order_by_folder("db/migrate/1_x.rb") is None
