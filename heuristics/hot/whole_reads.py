"""Code that took something piece by piece and now holds all of it in memory at once."""

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_ci_path, is_migration_path, is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.hot.spots import function_at
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

_PIECES = pattern(
    r"createReadStream|\.pipe\(|\bpipeline\(|\bfor\s+await\b|\.(?:iter_lines|iter_chunks|iter_content|iter_bytes|iter_text|aiter_\w+)\(|\bstream\s*=\s*True|\bchunk_?size\s*=|\.readline\(|\.iterparse\(|\bijson\."
    r"|\bfor\s+\w[\w, ]*\s+in\s+(?:csv\.|reader\b|fh?\b|file\b|f\b|body\b|stream\b|lines\b|rows\b)|\bbufio\.New(?:Scanner|Reader)|\bio\.Copy(?:N|Buffer)?\(|json\.NewDecoder\(|csv\.NewReader\(\w+(?:\.Body)?\)|\.Scan\(\)"
    r"|BufferedReader|\.lines\(|InputStream(?:Reader)?\b|StreamingResponseBody|getObjectStream|createParser\(|XMLStreamReader|XMLReader|SAXParser|useLines|forEachLine"
    r"|\.each_line|\.foreach\(|IO\.copy_stream|File\.stream!|IO\.stream|Stream\.(?:chunk|map|resource)|\bfgets\(|\bfgetcsv\(|SplFileObject|\byield\b|StreamReader|\.ReadLine(?:Async)?\(|File\.ReadLines|CopyTo(?:Async)?\(|\bBufReader|\.read_buf\(|\.next_line\(|download_fileobj|\.chunks\(\)"
    r"|ReadableStream|\.getReader\(|TransformStream|TextDecoderStream|readAsStream|copy_to\(|COPY\s+\w+\s+FROM"
)
_STILL = pattern(
    r"createReadStream|\bfor\s+await\b|\.iter_(?:lines|chunks|content|bytes|text)\(|\bchunk_?size\s*=|\.iterparse\(|\bijson\.|\bbufio\.New|\bio\.Copy|json\.NewDecoder\(|StreamingResponseBody"
    r"|File\.stream!|\.each_line|CSV\.foreach|\bfgets\(|\bfgetcsv\(|ReadLine(?:Async)?\(|\bBufReader|\.getReader\("
)
"""What says that it is still taken in pieces; a loop over rows that were read whole does not."""
_WHOLE = pattern(
    r"\]\s*=\s*await\s+[\w.()\[\]\"'`$/{}, ]{1,160}\.download\(\s*\)|\breadFile(?:Sync)?\(|\.(?:transformToString|transformToByteArray|arrayBuffer|readEntireStream)\(|Buffer\.concat\(|csv-parse/sync"
    r"|(?:await|=|\()\s*[\w.]{1,80}\.(?:text|json|bytes|blob)\(\s*\)|\.read\(\s*\)|\.(?:read_text|read_bytes|readlines|readall|content_as_bytes|content_as_text|download_as_(?:bytes|string|text)|getvalue)\(|json\.load\(|\bpd\.read_\w+\((?![^)]*chunksize)"
    r"|requests\.get\([^)]*\)\.(?:content|text|json)|\b(?:io|ioutil|os)\.Read(?:All|File)\(|readAll(?:Bytes|Lines)\(|Files\.readString\(|IOUtils\.to(?:ByteArray|String)|getObjectAsBytes|asByteArray\(|asUtf8String\(|toBytes\(|\breadBytes\(|\breadText\(|\breadLines\("
    r"|\b(?:File|IO|CSV)\.read\(|\.body\.read\b|CSV\.(?:parse|table)\(|File\.readlines\(|file_get_contents\(|stream_get_contents\(|(?<![\w>:])file\(\s*\$|File\.read!\(|ReadToEnd(?:Async)?\(|File\.ReadAll\w+\(|ReadAs(?:ByteArray|String)Async\(|read_to_(?:string|end)\(|fs::read(?:_to_string)?\("
    r"|\b(?:list|tuple|sorted)\(\s*(?:csv\.\w+|reader|stream|rows|lines|records)\b|\.collect::<Vec|\.toList\(\)|\.to_a\b|Enum\.to_list|ET\.parse\(|etree\.parse\(|\.toArray\(\)"
)
_PARSED = pattern(r"(?i)\bparse\w*\(|json|csv|\bpd\.|xml|yaml|to_a\b|list\(|split\(")


class WholeRead(Record):
    """One function that holds all of what it took in pieces. Lines are of head, `base_line` of the piecewise reading that goes."""

    place: Place
    base_line: int
    function: str
    is_parsed: bool
    """Whether it is also parsed as a whole, so that more than its bytes is held."""


def whole_reads(context: RuleContext) -> tuple[WholeRead, ...]:
    """Every such function of production code; the first line that reads all of it is its place."""
    found: list[WholeRead] = []
    for file in context.changes.files:
        path = file.head_path
        if file.is_binary or not file.hunks or not path or not file.base_path or language_of(path) not in CODE_LANGUAGES:
            continue
        if is_production_code(path) and not is_ci_path(path) and not is_migration_path(path) and not is_elsewhere(path):
            one = _of_file(context, file, path)
            found += [one] if one is not None else []
    return tuple(found)


def _of_file(context: RuleContext, file: ChangedFile, path: str) -> WholeRead | None:
    gone = [n for n, text in file.removed_lines().items() if _PIECES.search(text[:1_000]) and not _is_comment(text)]
    added = {n: text[:1_000] for n, text in file.added_lines().items() if not _is_comment(text)}
    whole = [
        n
        for n, text in sorted(added.items())
        if _WHOLE.search(text) and not text.lstrip().startswith(("import", "from", "use ", "using"))
    ]
    before = "\n".join(text[:1_000] for text in file.removed_lines().values())
    if not gone or not whole or any(_STILL.search(text) for text in added.values()) or _WHOLE.search(before):
        return None
    spot = function_at(context.head, path, whole[0])
    parsed = any(_PARSED.search(text) for text in added.values())
    return WholeRead(Place(file=path, line=whole[0], side="head"), gone[0], spot.scope if spot is not None else path, parsed)


def _is_comment(text: str) -> bool:
    return text.lstrip().startswith(("//", "#", "*", "/*"))
