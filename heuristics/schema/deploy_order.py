"""When the migrations of this repository run: before the code, with it, after it, or by hand."""

import re
from collections.abc import Iterator, Sequence

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.resource import Place
from heuristics.code.paths import is_test_path
from heuristics.schema.hand_run import by_the_documents, rolls_out
from heuristics.schema.moments import DeployOrder
from heuristics.schema.pipeline_steps import calls_migrations, is_after_every_roll_out, is_pipeline

MIGRATE = pattern(
    r"(?i)\b(?:(?:rails|rake)\W{1,4}(?:run\s+)?db:(?:migrate|prepare)|db:migrate(?!:)|alembic\W{1,6}upgrade|flask\W+db\W+upgrade|manage(?:\.py)?\W{1,6}migrate"
    r"|prisma\W+(?:migrate\W+deploy|db\W+push)|sequelize(?:-cli)?\W+db:migrate|knex\W+migrate[:\W]+(?:latest|up)|typeorm\b.{0,40}?migration:run"
    r"|goose\b.{0,120}?\bup\b|migrate\b.{0,160}?\bup\b|dbmate\b.{0,60}?\b(?:up|migrate)\b|flyway\b.{0,60}?\bmigrate|liquibase\b.{0,60}?\bupdate"
    r"|sqitch\W+deploy|ecto\.migrate|eval\W.{0,40}migrate|artisan\W+migrate|diesel\W+migration\W+run|sqlx\W+migrate\W+run|atlas\b.{0,30}?migrate\W+apply"
    r"|drizzle-kit\W+(?:migrate|push)|d1\W+migrations\W+apply|supabase\W+db\W+push|yoyo\W+apply|(?:npm|pnpm|yarn)\W+(?:run\W+)?(?:db[:\-])?migrate"
    r"|kysely\W+migrate|mikro-orm\W+migration:up|node-pg-migrate\W+up|refinery\W+migrate|phinx\W+migrate|doctrine:migrations:migrate)"
)
_AT_BOOT_IN_CODE = pattern(
    r"(?i)\.Up\(\)|goose\.Up(?:Context)?\(|migrate\.Up\(|sqlx::migrate!|embed_migrations!|run_pending_migrations|MigrateAsync\(|Database\.Migrate\(\)"
    r"|command\.upgrade\(|migrateToLatest\(|migrate\.latest\(|runMigrations\(|runPendingMigrations|migrationsRun\s*:\s*true|spring\.flyway\.enabled\s*[=:]\s*true"
    r"|AutoMigrate\("
)
_BOOT_LIBRARY = pattern(
    r"org\.flywaydb|flyway-(?:core|database|mysql)|liquibase-core|spring-boot-starter-(?:flyway|liquibase)|quarkus-flyway|micronaut-flyway"
)
_BOOT_OFF = pattern(r"(?i)(?:flyway|liquibase)[.\w-]*enabled\s*[=:]\s*[\"']?false|migrate-at-start\s*[=:]\s*false")
_PLACES = pattern(
    r"(?i)(?:^|/)(?:procfile[^/]*|dockerfile[^/]*|[^/]*\.dockerfile|fly[^/]*\.toml|app\.json|render\.ya?ml|railway\.(?:json|toml)|package\.json|makefile|[^/]*entrypoint[^/]*"
    r"|[^/]*start[^/]*\.sh|[^/]*deploy[^/]*|[^/]*release[^/]*|[^/]*migrat[^/]*\.(?:ya?ml|sh|json|tf|toml|service)|[^/]*compose[^/]*\.ya?ml|buildspec[^/]*|taskfile[^/]*"
    r"|\.gitlab-ci\.yml|jenkinsfile[^/]*|nixpacks\.toml|scalingo\.json|wrangler\.(?:toml|jsonc?))$"
    r"|(?:^|/)(?:\.github/workflows|\.circleci|\.buildkite|k8s|kubernetes|deploy|deployment|deployments|helm|charts?|templates|manifests|infra|ops|nomad|bin|scripts|ci)/"
)
_BY_HAND = pattern(
    r"(?i)(?:^|/)(?:manual[-_]?\w*|by[-_]hand|dba|adhoc|ad[-_]hoc|oneoff|one[-_]off|hand[-_]?run|runbooks?|manual[-_]sql)(?:/|$)"
)
_AFTER = pattern(r"(?i)(?:^|/)(?:post_migrate|post[-_]deploy\w*|after[-_]deploy\w*|contract)(?:/|$)")
_ROLLS = pattern(
    r"(?i)update-service|rollout|kubectl\s+(?:apply|set)|helm\s+upgrade|fly\s+deploy|wrangler\s+deploy|gcloud\s+run\s+deploy|cap\s+production"
    r"|kamal\s+deploy|docker\s+stack\s+deploy|docker\s+service\s+update|git\s+push\s+(?:heroku|dokku)|heroku\s+container:release|nomad\s+job\s+run"
    r"|argocd\s+app\s+sync|az\s+(?:webapp|containerapp)\s+(?:deploy|update|up)|amazon-ecs-deploy-task-definition@|flyctl\s+deploy|copilot\s+(?:svc\s+)?deploy"
)
_DEFINES = pattern(r"(?i)(?:^|/)(?:package\.json|makefile|justfile|taskfile[^/]*|[^/]*migrat[^/]*\.(?:sh|json|js|ts|py|rb))$")
_MAX_FILES = 400
_MAX_TEXT = 200_000


def order_by_folder(migration_path: str) -> DeployOrder | None:
    """By hand or after the deploy, when the folder's name says so."""
    if _BY_HAND.search(migration_path):
        return DeployOrder("by-hand", None, f"{migration_path} stands in a folder for statements that people run by hand")
    if _AFTER.search(migration_path):
        return DeployOrder("after", None, f"{migration_path} stands in a folder for migrations that run after the deploy")
    return None


def deploy_order(tree: SourceTree) -> DeployOrder:
    """How migrations are applied, by the manifests, scripts and start-up code of the repository."""
    candidates = list(_candidates(tree))
    after = next((o for o in candidates if o.moment == "after" and o.place is not None and is_pipeline(o.place.file)), None)
    if after is not None:  # what a step of the pipeline calls only says how, the step says when
        candidates = [o for o in candidates if o.moment != "before" or not _is_called_script(o)]
    found = next((o for o in candidates if o.moment == "before"), None) or next(iter(candidates), None)
    found = found or by_the_documents(tree) or _rolled_out_without(tree)
    return found or DeployOrder("unknown", None, "no step of the deploy that applies migrations was found in the repository")


def _is_called_script(order: DeployOrder) -> bool:
    """Whether the line only defines a command (a script, a target) that something else has to call."""
    return order.place is not None and bool(_DEFINES.search(order.place.file))


def _rolled_out_without(tree: SourceTree) -> DeployOrder | None:
    """A pipeline that rolls the service out, where no step applies migrations."""
    for path in [p for p in tree.paths() if _PLACES.search(p) and not is_test_path(p)][:_MAX_FILES]:
        text = tree.text(path) or ""
        if "/workflows/" not in path and not path.endswith((".gitlab-ci.yml", "Jenkinsfile", ".circleci/config.yml")):
            continue
        for number, line in enumerate(text[:_MAX_TEXT].split("\n"), start=1):
            if rolls_out(line[:600]):
                at = Place(file=path, line=number, side=tree.side)
                return DeployOrder(
                    "unknown", at, f"{path} line {number} rolls it out, and no step of the repository applies migrations"
                )
    return None


def replaces_at_once(tree: SourceTree) -> Place | None:
    """The line of a manifest that stops every old instance before the first new one starts."""
    for path in [p for p in tree.paths() if p.endswith((".yaml", ".yml", ".tf", ".json"))][: _MAX_FILES * 2]:
        text = tree.text(path) or ""
        if "Recreate" in text:
            for number, line in enumerate(text.split("\n"), start=1):
                if re.search(r"(?:type|strategy)\s*:\s*\{?\s*(?:type\s*:\s*)?[\"']?Recreate\b", line):
                    return Place(file=path, line=number, side=tree.side)
    return None


def _candidates(tree: SourceTree) -> Iterator[DeployOrder]:
    paths = tree.paths()
    yield from _in_deploy_files(tree, [p for p in paths if _PLACES.search(p) and not is_test_path(p)][:_MAX_FILES])
    yield from _at_boot(tree, paths)


def _in_deploy_files(tree: SourceTree, paths: Sequence[str]) -> Iterator[DeployOrder]:
    for path in paths:
        text = tree.text(path)
        if text is None or len(text) > _MAX_TEXT:
            continue
        lines = text.split("\n")
        for number, line in enumerate(lines, start=1):
            joined = re.sub(r"[\"'\[\],]+", " ", line[:600])
            if line.lstrip().startswith(("#", "//")) or not (
                MIGRATE.search(joined)
                or (is_pipeline(path) and calls_migrations(line))
                or _spread_command(lines, number)
                or re.match(r"\s*(?:- )?image:\s*\S*migrat", line[:600])
            ):
                continue
            yield _moment_of(path, lines, number, tree)
            break


def _spread_command(lines: Sequence[str], number: int) -> bool:
    """`command:` with one word a line, or `args` after `command`."""
    if not re.match(r"\s*(?:command|args|entrypoint|run|cmd)\s*:", lines[number - 1], re.IGNORECASE):
        return False
    return bool(MIGRATE.search(re.sub(r"[\"'\[\],\-]+\s*|\s+", " ", " ".join(lines[number - 1 : number + 6]))[:800]))


def _moment_of(path: str, lines: Sequence[str], number: int, tree: SourceTree) -> DeployOrder:
    at = Place(file=path, line=number, side=tree.side)
    text = "\n".join(lines)
    before = "\n".join(lines[:number])
    if re.search(r"(?i)hook:\s*[\"']?(?:PostSync|post-(?:install|upgrade))|after.?deploy|post.?deploy", text) and not re.search(
        r"(?i)PreSync|pre-(?:install|upgrade)", text
    ):
        return DeployOrder("after", at, "it runs after the new version is up")
    if is_pipeline(path) and is_after_every_roll_out(path, lines, number, _ROLLS):
        return DeployOrder("after", at, "the pipeline applies migrations after the roll-out")
    if re.search(r"(?i)initContainers", before) or (
        re.search(r"(?i)entrypoint|start|dockerfile|package\.json|procfile", path) and "release" not in lines[number - 1]
    ):
        if "package.json" in path and not re.search(r"\"(?:start|prestart)[\w:]*\"", lines[number - 1]):
            return DeployOrder("before", at, "a script applies migrations")
        return DeployOrder("boot", at, "each new instance applies migrations when it starts, while the old ones still run")
    return DeployOrder("before", at, "migrations are applied before the new version rolls out, while the old one still runs")


def _at_boot(tree: SourceTree, paths: Sequence[str]) -> Iterator[DeployOrder]:
    manifests = [
        p
        for p in paths
        if re.search(r"(?:^|/)(?:pom\.xml|build\.gradle(?:\.kts)?|go\.mod|application[\w.-]*\.(?:ya?ml|properties))$", p)
    ]
    is_off = any(_BOOT_OFF.search(tree.text(p) or "") for p in manifests[:50])
    for path in manifests[:50]:
        for number, line in enumerate((tree.text(path) or "").split("\n"), start=1):
            if not is_off and (_BOOT_LIBRARY.search(line) or _AT_BOOT_IN_CODE.search(line)):
                yield DeployOrder(
                    "boot", Place(file=path, line=number, side=tree.side), "the application applies migrations when it starts"
                )
                return
    words = {
        "Up",
        "migrate",
        "embed_migrations",
        "run_pending_migrations",
        "MigrateAsync",
        "migrateToLatest",
        "migrationsRun",
        "runMigrations",
        "upgrade",
        "AutoMigrate",
    }
    places = sorted((p for listed in tree.search(words).values() for p in listed), key=lambda p: (p.file, p.line))
    for place in places[:2_000]:
        if is_test_path(place.file) or place.file.endswith((".md", ".sql", ".lock", ".sum")):
            continue
        line = (tree.text(place.file) or "").split("\n")[place.line - 1]
        if _AT_BOOT_IN_CODE.search(line[:600]):
            yield DeployOrder("boot", place, "the application applies migrations when it starts")
            return
