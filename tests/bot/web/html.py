"""Reads a page as far as a machine can tell that people can read it."""

from collections import Counter
from html.parser import HTMLParser
from typing import override

_EMPTY = {"meta", "link", "input", "br", "rect", "circle", "line", "polyline", "polygon", "path", "img", "hr"}


class Page(HTMLParser):
    """Texts, links and what is wrong with its structure."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.faults: list[str] = []
        self.said: list[str] = []
        self.headings: list[int] = []
        self._labelled = 0
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    @property
    def text(self) -> str:
        """All that is said, in one line."""
        return " ".join(" ".join(self.said).split())

    @property
    def links(self) -> list[str]:
        return [str(told["href"]) for tag, told in self.tags if tag == "a" and "href" in told]

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.tags.append((tag, told))
        if tag not in _EMPTY:
            self.open.append(tag)
        if tag in {"h1", "h2", "h3", "h4"}:
            self.headings.append(int(tag[1]))
        self._labelled += tag == "label"
        if tag in {"script", "style", "iframe", "object", "base"}:
            self.faults.append(f"a page has no {tag}")
        self.faults += [f"{tag} has {name}" for name in told if name == "style" or name.startswith("on")]
        if tag in {"select", "input"} and told.get("type") != "hidden" and "label" not in self.open and "aria-label" not in told:
            self.faults.append(f"{tag} {told.get('name')} has no label")
        if tag == "svg" and not told.get("aria-label") and told.get("aria-hidden") != "true":
            self.faults.append("a picture says nothing")

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in _EMPTY:
            return
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
            return
        self.open.pop()

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.handle_endtag(tag)

    @override
    def handle_data(self, data: str) -> None:
        self.said.append(data)


def faults_of(text: str) -> list[str]:
    """What keeps people, or their screen readers, from reading it."""
    page = Page(text)
    found = list(page.faults)
    if page.headings.count(1) != 1 or page.headings[0] != 1:
        found.append(f"one h1 and first: {page.headings}")
    found += [
        f"h{after} follows h{before}"
        for before, after in zip(page.headings, page.headings[1:], strict=False)
        if after > before + 1
    ]
    ids = Counter(told["id"] for _, told in page.tags if told.get("id"))
    found += [f"id {name} stands {count} times" for name, count in ids.items() if count > 1]
    named = set(ids)
    found += [
        f"no {told['aria-labelledby']}"
        for _, told in page.tags
        if "aria-labelledby" in told and told["aria-labelledby"] not in named
    ]
    if ("html", {"lang": "en"}) not in page.tags:
        found.append("no language")
    return found
