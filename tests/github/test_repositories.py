"""What the loopback GitHub says about repositories."""

import base64
import io
import tarfile

import pytest

from tests.github.asking import as_installation
from tests.github.bare import Submodule, Symlink
from tests.github.conftest import Shop


def test_a_file_comes_as_base64_by_branch_or_commit_and_a_folder_as_a_list(shop: Shop) -> None:
    on_main = shop.ask.get("/repos/acme/shop/contents/app.py").json()
    on_head = shop.ask.get("/repos/acme/shop/contents/app.py", params={"ref": shop.pull.head_sha}).json()
    folder = shop.ask.get("/repos/acme/shop/contents/docs").json()

    assert [base64.b64decode(f["content"]) for f in (on_main, on_head)] == [b"print(1)\n", b"print(2)\n"]
    assert [(e["name"], e["path"], e["type"]) for e in folder] == [("a b.md", "docs/a b.md", "file")]
    assert shop.ask.get("/repos/acme/shop/contents/docs/a b.md").json()["size"] == 5
    assert shop.ask.get("/repos/acme/shop/contents/none.py").status_code == 404


def test_a_large_file_is_only_raw(shop: Shop) -> None:
    shop.github.repositories.push(shop.repository, files={"big.txt": "x" * 1_000_001})
    where = "/repos/acme/shop/contents/big.txt"

    whole = shop.ask.get(where).json()
    raw = shop.ask.get(where, headers={"Accept": "application/vnd.github.raw+json"})

    assert (whole["encoding"], whole["content"], whole["size"]) == ("none", "", 1_000_001)
    assert len(raw.content) == 1_000_001


def test_submodules_and_links_are_named_as_github_names_them(shop: Shop) -> None:
    shop.github.repositories.push(shop.repository, files={"lib": Submodule("1" * 40), "link": Symlink("app.py")})

    listed = {e["name"]: e["type"] for e in shop.ask.get("/repos/acme/shop/contents/").json()}

    assert (listed["lib"], listed["link"], listed["docs"]) == ("file", "symlink", "dir")
    assert shop.ask.get("/repos/acme/shop/contents/lib").json()["type"] == "submodule"
    assert shop.ask.get("/repos/acme/shop/contents/link").json()["target"] == "app.py"


def test_trees_blobs_and_commits_are_read_by_id(shop: Shop) -> None:
    tree = shop.ask.get(f"/repos/acme/shop/git/trees/{shop.pull.head_sha}", params={"recursive": "1"}).json()
    paths = {e["path"]: e for e in tree["tree"]}
    blob = shop.ask.get(f"/repos/acme/shop/git/blobs/{paths['app.py']['sha']}").json()
    commit = shop.ask.get(f"/repos/acme/shop/git/commits/{shop.pull.head_sha}").json()

    assert (set(paths), tree["truncated"]) == ({"app.py", "docs", "docs/a b.md"}, False)
    assert base64.b64decode(blob["content"]) == b"print(2)\n"
    assert (commit["tree"]["sha"], commit["parents"][0]["sha"]) == (tree["sha"], shop.pull.base_sha)
    assert [e["path"] for e in shop.ask.get("/repos/acme/shop/git/trees/main").json()["tree"]] == ["app.py", "docs"]
    assert shop.ask.get("/repos/acme/shop/git/blobs/" + "f" * 40).status_code == 404


def test_a_commit_has_its_files_and_a_tarball_its_tree(shop: Shop) -> None:
    commit = shop.ask.get("/repos/acme/shop/commits/change-1").json()
    packed = shop.ask.get("/repos/acme/shop/tarball/main").content

    assert (commit["sha"], [f["filename"] for f in commit["files"]]) == (shop.pull.head_sha, ["app.py"])
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        assert "acme-shop/app.py" in archive.getnames()


@pytest.mark.parametrize(
    ("role", "plain"),
    [("admin", "admin"), ("maintain", "write"), ("write", "write"), ("triage", "read"), ("read", "read"), ("none", "none")],
)
def test_a_role_is_said_in_four_words_and_exactly_beside_them(shop: Shop, role: str, plain: str) -> None:
    shop.github.repositories.give(shop.repository, "olivia", role)  # pyright: ignore[reportArgumentType]

    seen = shop.ask.get("/repos/acme/shop/collaborators/olivia/permission").json()

    assert (seen["permission"], seen["role_name"], seen["user"]["login"]) == (plain, role, "olivia")
    assert shop.ask.get("/repos/acme/shop/collaborators/nobody-at-all/permission").status_code == 404


def test_a_required_check_is_seen_in_the_rules_or_in_the_branch(shop: Shop) -> None:
    shop.github.repositories.require_check(shop.repository, app_id=shop.app.id)
    shop.github.repositories.branch(shop.repository, "release/1")
    shop.github.repositories.require_check(shop.repository, branch="release/1", by_rule=False)

    (rule,) = shop.ask.get("/repos/acme/shop/rules/branches/main").json()
    classic = shop.ask.get("/repos/acme/shop/branches/release/1").json()

    assert rule["parameters"]["required_status_checks"] == [{"context": "gonogo", "integration_id": shop.app.id}]
    assert classic["protection"]["required_status_checks"]["contexts"] == ["gonogo"]
    assert shop.ask.get("/repos/acme/shop/rules/branches/release/1").json() == []
    assert shop.ask.get("/repos/acme/shop/branches/release/1/protection/required_status_checks").status_code == 403
    assert shop.ask.get("/repos/acme/shop/branches/none").status_code == 404


def test_deployments_are_newest_first_and_filtered(shop: Shop) -> None:
    live = shop.github.repositories.deploy(shop.repository)
    shop.github.repositories.deployment_status(live, "in_progress")
    shop.github.repositories.deployment_status(live, "success")
    trial = shop.github.repositories.deploy(shop.repository, environment="staging")

    def found(**query: str) -> list[int]:
        return [d["id"] for d in shop.ask.get("/repos/acme/shop/deployments", params=query).json()]

    assert found() == [trial.id, live.id]
    assert found(environment="production") == [live.id]
    assert [s["state"] for s in shop.ask.get(f"/repos/acme/shop/deployments/{live.id}/statuses").json()] == [
        "success",
        "in_progress",
    ]


def test_environments_and_names_of_secrets_need_their_permissions(shop: Shop) -> None:
    shop.repository.environments.append("production")
    shop.repository.secret_names.append("STRIPE_KEY")

    assert shop.ask.get("/repos/acme/shop/environments").json()["environments"][0]["name"] == "production"
    assert [s["name"] for s in shop.ask.get("/repos/acme/shop/actions/secrets").json()["secrets"]] == ["STRIPE_KEY"]
    with as_installation(shop.github, shop.installation, permissions={"contents": "read"}) as narrow:
        assert {narrow.get(f"/repos/acme/shop/{what}").status_code for what in ("environments", "actions/secrets")} == {403}


def test_a_status_needs_the_permission_for_statuses(shop: Shop) -> None:
    where, body = f"/repos/acme/shop/statuses/{shop.pull.head_sha}", {"state": "success", "context": "gonogo"}
    refused = shop.ask.post(where, json=body)
    shop.github.apps.accept_permissions(shop.installation, shop.installation.permissions | {"statuses": "write"})
    with as_installation(shop.github, shop.installation) as ask:
        made = ask.post(where, json=body)

    assert (refused.status_code, made.status_code) == (403, 201)
    assert shop.github.world.statuses[0]["context"] == "gonogo"


def test_limits_and_addresses_are_told_without_being_counted(shop: Shop) -> None:
    before = shop.ask.get("/rate_limit").json()["resources"]["core"]["remaining"]
    shop.ask.get("/rate_limit")

    assert shop.ask.get("/rate_limit").json()["resources"]["core"]["remaining"] == before
    assert "hooks" in shop.ask.get("/meta").json()


def test_an_unchanged_answer_is_304(shop: Shop) -> None:
    first = shop.ask.get("/repos/acme/shop/pulls/1")
    again = shop.ask.get("/repos/acme/shop/pulls/1", headers={"If-None-Match": first.headers["etag"]})
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})
    changed = shop.ask.get("/repos/acme/shop/pulls/1", headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content, changed.status_code) == (200, 304, b"", 200)
