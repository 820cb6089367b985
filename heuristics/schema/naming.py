"""Names that frameworks derive from a table or column: the class of a table, the property of a column."""

import re
from functools import lru_cache

_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "data": "datum",
    "media": "medium",
    "indices": "index",
}


def bare(name: str) -> str:
    """`public."Plan"` → `Plan`."""
    return name.replace('"', "").replace("`", "").replace("[", "").replace("]", "").rpartition(".")[2]


@lru_cache(maxsize=512)
def singular(word: str) -> str:
    """`categories` → `category`, `boxes` → `box`, `players` → `player`; good enough to find a model, never to change one."""
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if low.endswith(("ss", "us", "is")):
        return word
    return word.removesuffix("s")


def camel(snake: str) -> str:
    """`order_lines` → `OrderLines`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_\W]+", snake) if part)


def class_names(table: str) -> frozenset[str]:
    """Class names that a framework would map to the table: singular and plural, with or without an app prefix."""
    name = bare(table)
    head, _, last = name.rpartition("_")
    parts = [name]
    if head:
        parts += [name.partition("_")[2], last]
    words = {form for part in parts for form in (camel(part), camel(_last_singular(part)))}
    return frozenset(w for w in words if len(w) > 1)


def app_of(table: str, class_name: str) -> str:
    """The prefix that is left when the class is `crm_customer`'s `Customer`: `crm`; empty when nothing is left."""
    name = bare(table).lower()
    for part in (class_name.lower(), snake(class_name)):
        for form in (part, part + "s"):
            if name.endswith("_" + form):
                return name[: -len(form) - 1]
    return ""


def property_names(column: str) -> frozenset[str]:
    """How code may spell the column: as it stands, camelCase, PascalCase."""
    name = bare(column)
    pascal = camel(name)
    go = re.sub(r"Id$", "ID", re.sub(r"Url$", "URL", pascal))
    return frozenset({name, name.lower(), pascal[:1].lower() + pascal[1:], pascal, go})


def snake(name: str) -> str:
    """`OrderLine` → `order_line`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _last_singular(name: str) -> str:
    head, underscore, last = name.rpartition("_")
    return f"{head}{underscore}{singular(last)}"
