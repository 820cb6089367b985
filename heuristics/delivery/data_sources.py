"""What a Terraform data source looks up: `data.aws_sns_topic.orders.arn` is the topic whose name its block gives."""

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record

_REFERENCE = pattern(r"(?:\$\{)?data\.([a-z][\w-]*)\.([\w-]+)")
_BLOCK = pattern(r'(?ms)^data\s+"([\w-]+)"\s+"([\w-]+)"\s*\{(.*?)^\}')
_NAME = pattern(
    r'(?m)^\s*(?:name|arn|bucket|queue_name|topic|topic_name|stream_name|function_name|table_name|url|id)\s*=\s*"([^"$]+)"'
)
_PROVIDER = {"aws": "aws", "google": "google", "azurerm": "azure", "confluent": "kafka"}


class LookedUp(Record):
    """The thing that a data source stands for. `name` is None when its block computes it."""

    kind: str
    """Words of its kind: `sns.topic`."""
    name: str | None


def looked_up(tree: SourceTree, file: str, text: str) -> LookedUp | None:
    """What a reference to a data source means; None when the text is no such reference."""
    reference = _REFERENCE.match(text.strip().strip('"'))
    if reference is None:
        return None
    provider, _, rest = reference[1].partition("_")
    kind = rest.replace("_", ".", 1) if provider in _PROVIDER else reference[1]
    folder = file.rpartition("/")[0]
    for path in tree.paths():
        if path.endswith(".tf") and path.rpartition("/")[0] == folder:
            for block in _BLOCK.finditer((tree.text(path) or "")[:400_000]):
                if (block[1], block[2]) == (reference[1], reference[2]):
                    named = _NAME.search(block[3])
                    return LookedUp(kind, named[1] if named else None)
    return LookedUp(kind, None)
