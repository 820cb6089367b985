"""Files that the settings of the servers name, read once at the start: a key that cannot sign, a snapshot that is none, is said then.

GitHub Apps sign with RSA (RS256), and GitHub gives the key out as PEM without a passphrase:
https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/managing-private-keys-for-github-apps
"""

from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from context_graph.providers.snapshot import SnapshotProvider
from gonogo.errors import CallError

_VARIABLE, _FILE = "GONOGO_GITHUB_PRIVATE_KEY", "GONOGO_GITHUB_PRIVATE_KEY_FILE"


def private_key(given: str | None, file: Path | None) -> tuple[str, list[str]]:
    r"""The key in PEM, and what is wrong with it, never with a piece of it. In `given`, `\n` may stand for a line end."""
    name, text = _VARIABLE, given or ""
    if given and file:
        return "", [f"{_VARIABLE} and {_FILE} are both set; keep one"]
    if not given and not file:
        return "", [f"{_VARIABLE} or {_FILE} is not set"]
    if file:
        name = _FILE
        try:
            text = file.read_text(encoding="ascii")
        except OSError as error:
            return "", [f"{name}: {file} cannot be read ({error.strerror})"]
        except UnicodeDecodeError:
            text = ""
    text = text.strip().replace("\\n", "\n")
    wrong = _wrong_with(text)
    return f"{text}\n", [f"{name} {wrong}"] if wrong else []


def snapshot_folder(folder: Path) -> str:
    """The full path of a snapshot: a worker's processes work in folders of their own. ValueError says what is wrong with it.

    A row that cannot be read is a gap of every report, as always; a list of resources of which nothing can be read is no snapshot.
    """
    if not folder.is_dir():
        raise ValueError("is neither the folder of a snapshot, nor live, nor none")
    try:
        snapshot = SnapshotProvider(folder)
        is_listed = any((folder / name).is_file() for name in ("resources.jsonl", "resources.jsonl.gz"))
        is_broken = is_listed and not snapshot.kinds() and len(snapshot.gaps()) > len(snapshot.recorded_gaps())
    except (CallError, OSError):
        is_broken = True
    if is_broken:
        raise ValueError("names a folder in which no snapshot can be read")
    return str(folder.absolute())


def _wrong_with(text: str) -> str | None:
    if not (text.startswith("-----BEGIN ") and text.endswith("-----") and "PRIVATE KEY-----" in text):
        return "holds no private key in PEM (-----BEGIN RSA PRIVATE KEY-----)"
    try:
        key = load_pem_private_key(text.encode(), None)
    except TypeError:
        return "holds a key behind a passphrase; write it without one: openssl rsa -in KEY -out NEW"
    except (ValueError, UnsupportedAlgorithm):
        return "has the lines of a private key and no key that can be read between them; take a new one from the App's page"
    if not isinstance(key, RSAPrivateKey):
        return "holds a key that is no RSA key; GitHub Apps sign with RSA, take the key from the App's page"
    return None
