"""Which named environments of a Worker's configuration the repository deploys: what its deploy commands say."""

from collections.abc import Iterator, Sequence

from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from gonogo.pattern import pattern
from gonogo.resource import Resource
from heuristics.code import is_docs_path
from heuristics.stages import names_other_stage

_DEPLOYS = pattern(
    r"""(?:wrangler(?:@[\w.^~-]+)?["']?\s+|command:\s*["']?)(?:pages\s+)?(?:deploy|publish|versions\s+(?:upload|deploy))\b([^\n&|;]{0,200})|\brun\s+deploy\b\s*--([^\n&|;]{0,200})"""
)
_ENVIRONMENT = pattern(r"""(?:--env|-e)[ =]["']?([\w-]+)""")
_ACTION = pattern(r"""wrangler-action[^\n]*\n(?:[^\n]*\n){0,12}?\s*environment:\s*["']?([\w-]+)""")
_VARIABLE = pattern(r"""CLOUDFLARE_ENV["']?\s*[:=]\s*["']?([\w-]+)""")


def deployed_workers(case: Case, programs: Sequence[Resource]) -> tuple[Resource, ...]:
    """Of several Workers of one configuration, those that are deployed for production; all where no command tells."""
    if len(programs) < 2 or any(p.kind != "cloudflare.worker" for p in programs):
        return tuple(programs)
    declared = {p.id: [d.environment for d in declarations_of(case, p.id)] for p in programs}
    if not any(environment for found in declared.values() for environment in found):
        return tuple(programs)
    wanted = set(_environments(case))
    chosen = [p for p in programs if wanted & set(declared[p.id])] or list(programs)
    for_users = [p for p in chosen if not any(names_other_stage(e) for e in declared[p.id]) and not names_other_stage(p.name)]
    return tuple(for_users or chosen)


def _environments(case: Case) -> Iterator[str | None]:
    """The environment of every deploy command; None is the top of the configuration."""
    files = {p.file for places in case.diff.head.search(["wrangler", "CLOUDFLARE_ENV"]).values() for p in places}
    for file in sorted(files)[:40]:
        if is_docs_path(file) or file.rpartition("/")[2].startswith("wrangler."):
            continue
        text = (case.diff.head.text(file) or "")[:200_000]
        elsewhere = [*_ACTION.findall(text), *_VARIABLE.findall(text)]
        yield from elsewhere
        for match in _DEPLOYS.finditer(text):
            named = _ENVIRONMENT.search(match[1] or match[2] or "")
            if named is not None:
                yield named[1]
            elif not elsewhere:
                yield None
