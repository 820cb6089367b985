"""`gonogo app`: the manifest of the GitHub App; `create` walks an owner through making it."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gonogo.errors import CallError, StageFailed

_EXAMPLE_URL = "https://gonogo.example.com"

app_manifest = typer.Typer(
    name="app",
    help="The GitHub App: what it asks for and why; `create` makes it.\n\nExample: gonogo app --json",
    rich_markup_mode=None,
)


@app_manifest.callback(invoke_without_command=True)
def _show(  # pyright: ignore[reportUnusedFunction]  typer calls it
    context: typer.Context,
    url: Annotated[str | None, typer.Option(help="Where GitHub reaches gonogo serve (default: GONOGO_URL).")] = None,
    name: Annotated[str, typer.Option(help="The App's name; no other App on GitHub may have it.")] = "gonogo",
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest as GitHub takes it.")] = False,
) -> int:
    if context.invoked_subcommand is not None:
        return 0
    import json  # noqa: PLC0415  loads when it is needed

    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.github.app_manifest import EVENTS, PERMISSIONS, manifest  # noqa: PLC0415
    from bot.report.app_manifest import manifest_text  # noqa: PLC0415

    address = (url or os.environ.get("GONOGO_URL") or _EXAMPLE_URL).rstrip("/")
    if as_json:
        say(json.dumps(manifest(url=address, name=name), indent=2) + "\n")
    else:
        say(manifest_text([(p.name, p.level, p.reason, p.is_optional) for p in PERMISSIONS], EVENTS, url=address))
    return 0


@app_manifest.command("create")
def create(
    url: Annotated[str | None, typer.Option(help="Where GitHub reaches gonogo serve (default: GONOGO_URL).")] = None,
    organization: Annotated[str | None, typer.Option(help="The organization that owns the App (default: you).")] = None,
    name: Annotated[str, typer.Option(help="The App's name; GitHub lets you change it.")] = "gonogo",
    settings: Annotated[Path, typer.Option(help="The file that gets its id, key and secrets.")] = Path(".env"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page on this machine; 0 takes a free one.")] = 0,
    timeout: Annotated[int, typer.Option(min=1, help="Seconds to wait for you.")] = 3600,
) -> int:
    """Make the GitHub App: open a page on this machine, say yes on GitHub, and find its settings in a file that only you can read.

    No secret is printed. GitHub Enterprise Server: set GONOGO_GITHUB_API_URL and GONOGO_GITHUB_URL.

    Example: gonogo app create --url https://gonogo.example.com --organization acme

    Exit status: 0 the App is there and its settings are written; 2 the call is wrong; 3 it was not made in time.
    """
    try:
        from bot.github.app_creation import CreatedApp, SettingsFile, exchange  # noqa: PLC0415  needs what only servers need
    except ModuleNotFoundError as error:
        raise CallError(f"gonogo app create needs {error.name}; install the extra: pip install 'gonogo[server]'") from error
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.github.access import GITHUB_API_URL, web_url_of  # noqa: PLC0415
    from bot.github.app_creation_page import CreationPage, serving  # noqa: PLC0415
    from bot.github.app_manifest import reachable_url  # noqa: PLC0415

    api_url = (os.environ.get("GONOGO_GITHUB_API_URL") or GITHUB_API_URL).rstrip("/")
    web_url = (os.environ.get("GONOGO_GITHUB_URL") or web_url_of(api_url)).rstrip("/")
    address = reachable_url(url or os.environ.get("GONOGO_URL") or "", web_url=web_url)
    file, made = SettingsFile(settings), list[CreatedApp]()

    def take(code: str) -> str:
        made.append(exchange(code, api_url=api_url, web_url=web_url))
        file.write(made[-1], url=address, api_url=api_url, web_url=web_url)
        return f"The App {made[-1].slug} is made, and its settings are in {settings}. Go back to the terminal."

    def page_at(at: int) -> CreationPage:
        return CreationPage(at, url=address, name=name, web_url=web_url, organization=organization, take=take)

    try:
        with serving(port, page_at) as page:
            say(f"Open {page.address}/ in a browser on this machine. From another one, first run there:\n")
            say(f"  ssh -L {page.address.rpartition(':')[2]}:{page.address.removeprefix('http://')} THIS_HOST\n")
            is_done = page.done.wait(timeout)
    except OSError as error:
        raise CallError(f"--port {port}: {error.strerror}; pass another one, or 0 for a free one") from error
    finally:
        file.close()
    if not is_done:
        raise StageFailed("app", f"GitHub did not come back within {timeout} s", "run gonogo app create again")
    say(f"\n{made[-1].slug} (App {made[-1].id}) is made; its settings are in {settings}, which only you can read.\n")
    say(f"Give it repositories:  {made[-1].installing}\n")
    say(f"Start it:              GONOGO_CONFIG={settings} gonogo serve --embedded\n")
    say(f"See that all is well:  GONOGO_CONFIG={settings} gonogo doctor\n")
    return 0
