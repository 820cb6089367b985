"""What a repository says about migrations that people apply, and the line of a pipeline that rolls the service out."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.resource import Place
from heuristics.schema.moments import DeployOrder

_MAX_FILES = 400
_MAX_TEXT = 200_000

_DOCUMENTS = (".md", ".mdx", ".rst", ".adoc", ".txt", ".org")
_THING = (
    r"(?:(?:schema|database|db|sql|ddl|prisma|alembic|flyway|knex|django)[- ])?(?:migrat(?:ions?|e)\b[\w:]*|schema changes?|ddl|sql (?:scripts?|files?|changes?)"
    r"|(?:numbered|change) (?:scripts?|files?))|scripts? (?:in|under|of) `?\.?/?(?:sql|db|ddl|database|migrations?)\b|`[\w./-]*\.sql`|`?(?:sql|ddl)/`?|scripts?"
)
_PEOPLE = (
    r"(?:dbas?\b|database (?:team|group|crew|administrators?|engineers?|owners?|people|on-?call)|\w+(?:[- ]\w+)? (?:team|crew|guild|squad)\b"
    r"|on-?call(?: engineer)?|an? (?:operator|engineer|person|human|administrator|admin)|operators?\b|somebody|someone)"
)
_RUN = r"(?:runs?|appl(?:y|ies)|executes?|rolls? (?:it|them) out)"
_DONE = r"(?:run|applied|executed|rolled out|carried out|done|performed)"
_BY_HAND = (
    r"(?:by hand|manually|(?:from|on|through|over) (?:the |a |our )?(?:bastion|jump ?(?:host|box|server))|with `?psql\b|in `?psql\b|with the `?mysql\b"
    r"|(?:in|during|on) (?:the |a |our |every )?(?:\w+ ){0,2}(?:maintenance )?window\b|on request|after (?:a )?ticket|out(?:side)? of (?:the )?(?:pipeline|deploy))"
)
_SAYS = tuple(
    pattern(text)
    for text in (
        rf"(?i)(?:{_THING})\b.{{0,80}}\b{_BY_HAND}",
        rf"(?i)(?:{_THING})\b.{{0,80}}\b{_DONE} by (?:the |a |an |our )?{_PEOPLE}",
        rf"(?i)(?:{_THING})(?:\W.{{0,120}})?\b{_PEOPLE} {_RUN} (?:them|it|these|those|each|all|every one|that)\b",
        rf"(?i)\b{_PEOPLE} {_RUN}\b.{{0,80}}(?:{_THING})\b",
        rf"(?i)\b(?:run|apply|execute)\b.{{0,60}}(?:{_THING})\b.{{0,60}}\b{_BY_HAND}",
        (
            rf"(?i)\b(?:pipeline|deploy(?:ment)?|ci|cd|workflow|release|image|container|app(?:lication)?)\b.{{0,40}}\b(?:does not|doesn't|never|do not|don't|cannot|can't|must not|will not|won't)"
            rf" (?:run|apply|execute|touch)\b.{{0,40}}(?:{_THING})\b"
        ),
        rf"(?i)(?:{_THING})\b.{{0,30}}\b(?:are|is) (?:not|never) (?:a )?(?:part of|{_DONE} (?:by|in|during|as part of)) (?:the |our )?(?:pipeline|deploy(?:ment)?|ci|cd|release|rollout)\b",
        r"(?i)\bno(?:thing| step| job)?\b.{0,40}\b(?:applies|runs) (?:the )?migrations\b",
    )
)
_NOT_SO = pattern(
    r"(?i)\b(?:no longer|never|nobody|don't|do not|not to|instead of|rather than|used to|without)\b.{0,60}\b(?:by hand|manual(?:ly)?|bastion|dbas?\b|team|psql|window)"
)
_ABOUT = pattern(r"(?i)migrat|\bsql\b|\bddl\b|schema change")
_OF_PEOPLE = pattern(rf"(?i)\b(?:dbas?|database (?:team|administrators?))\b|{_BY_HAND}")
_SENTENCE = pattern(r"(?<=[.!?])\s+(?=[A-Z`])")

_DEPLOYS = pattern(
    r"(?i)update-service|\brollout\b|kubectl\b.{0,80}?\b(?:apply|set\s+image|replace|patch)\b|helm(?:file)?\b.{0,40}?\b(?:upgrade|apply|sync)\b|fly(?:ctl)?\s+deploy|wrangler\b.{0,30}?\bdeploy"
    r"|gcloud\b.{0,40}?\bdeploy\b|cap\s+production|\b(?:sam|cdk|sls|serverless|zappa|chalice|copilot|eb|kamal|mrsk|railway|render|vercel|netlify|now|firebase|dokku|waypoint|skaffold|werf|nais)\b.{0,30}?\bdeploy\b"
    r"|vercel\b.{0,30}--prod|docker\s+(?:stack\s+deploy|service\s+update)|git\s+push\s+(?:heroku|dokku)|heroku\s+container:release|cf\s+push|nomad\s+(?:job\s+)?run|argocd\s+app\s+(?:sync|set)"
    r"|ansible-playbook|update-function-code|create-deployment\b|az\s+(?:webapp|functionapp|containerapp)\b.{0,40}?\b(?:deploy\w*|update|up|config)\b|pulumi\b.{0,20}?\bup\b|terraform\b.{0,40}?\bapply\b|\b(?:systemctl|supervisorctl)\s+restart"
    r"|uses:\s*[\w./-]*(?:deploy|flyctl|heroku|argocd|helm-upgrade)[\w./-]*@"
)


def rolls_out(line: str) -> bool:
    """Whether a line of a pipeline brings a new version into production."""
    return _DEPLOYS.search(line) is not None and not line.lstrip().startswith("#")


def by_the_documents(tree: SourceTree) -> DeployOrder | None:
    """A document of the repository that says that people apply migrations, or that the deploy doesn't."""
    for path in [p for p in tree.paths() if p.lower().endswith(_DOCUMENTS)][:_MAX_FILES]:
        text = tree.text(path) or ""
        if len(text) > _MAX_TEXT or _ABOUT.search(text) is None:
            continue
        for number, sentence in _sentences(text):
            if says_by_hand(sentence):
                at = Place(file=path, line=number, side=tree.side)
                return DeployOrder("by-hand", at, f"{path} line {number} says that people apply migrations")
    return None


def by_its_comment(tree: SourceTree, path: str) -> DeployOrder | None:
    """A comment above the first statement of a migration that says that people apply it."""
    for number, line in enumerate((tree.text(path) or "")[:4_000].split("\n"), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith(("--", "#", "//", "/*", "*")):
            return None
        if _OF_PEOPLE.search(stripped) and says_by_hand("migration " + stripped.lstrip("-#/* ")):
            at = Place(file=path, line=number, side=tree.side)
            return DeployOrder("by-hand", at, f"{path} line {number} says that people apply it")
    return None


def says_by_hand(sentence: str) -> bool:
    """Whether the sentence says that people apply migrations, and doesn't say that they stopped to."""
    if _ABOUT.search(sentence) is None or _NOT_SO.search(sentence) is not None:
        return False
    return any(said.search(sentence) for said in _SAYS)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Two sentences at a time (the second may say `them` of the first, or of the heading), with the line where they begin.

    Wrapped lines are joined.
    """
    heading, parts = "", list[tuple[int, str]]()
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", "==", "--", "-", "*", "|")) or stripped[:1].isdigit():
            yield from _pairs(heading, parts)
            parts = []
        if stripped.startswith(("#", "==")):
            heading = stripped.strip("#= ")
        elif stripped:
            parts.append((number, stripped))
    yield from _pairs(heading, parts)


def _pairs(heading: str, lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    joined, starts = "", list[tuple[int, int]]()
    for number, line in lines:
        starts.append((len(joined), number))
        joined += line[:600] + " "
    at, before = 0, ""
    for sentence in _SENTENCE.split(joined.strip()):
        begin = joined.find(sentence, at)
        at = begin + len(sentence)
        number = max((n for offset, n in starts if offset <= begin), default=1)
        yield number, sentence
        yield number, f"{before} {sentence}"
        yield number, f"{heading} {sentence}"
        before = sentence
