"""report_page.py: what a report must be: well nested, all in one file, readable by those who do not see it."""
import base64
import html.parser
import re
import sys

VOID = {"meta", "img", "br", "path", "circle", "rect"}
ALLOWED = {"html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "h1", "h2", "h3", "p",
           "b", "i", "a", "div", "span", "dl", "dt", "dd", "ul", "li", "figure", "figcaption", "img", "svg", "path",
           "circle", "rect", "text", "table", "tr", "th", "td", "small", "br", "details", "summary", "pre", "code"}


class Page(html.parser.HTMLParser):
    """Parses strictly; `sections` holds the text of each section, `tables` the rows of its tables."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.sections, self.tables, self.images, self.ids, self.links = [], {"": ""}, {}, [], set(), []
        self.section, self.cell = "", None
        source = open(path, encoding="utf-8").read()
        self.source = source
        assert source.startswith("<!doctype html>\n<html lang=\"en\">") and source.endswith("</html>\n")
        assert not re.search(r"(?i)https?:|//[a-z]|url\(|@import|javascript:|<script|\bon[a-z]+=", re.sub(r"base64,[^\"]*", "", source))
        self.feed(source)
        self.close()
        assert not self.open, self.open
        for link in self.links:
            assert link[0] == "#" and link[1:] in self.ids, link

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        assert tag in ALLOWED, tag
        assert len(a) == len(attributes)
        for name, value in attributes:
            assert name in {"lang", "charset", "name", "content", "id", "class", "style", "href", "src", "alt", "width",
                            "height", "scope", "role", "viewbox", "aria-label", "aria-hidden", "open", "x", "y", "d",
                            "cx", "cy", "r", "transform", "colspan"}, (tag, name)
        if tag == "img":
            assert a["alt"].strip() and a["src"].startswith("data:image/png;base64,")
            data = base64.b64decode(a["src"].split(",")[1], validate=True)
            assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
            self.images.append(data)
        elif "src" in a:
            raise AssertionError(tag)
        if "href" in a:
            self.links.append(a["href"])
        if tag == "svg":
            assert a["role"] == "img" and a["aria-label"].strip()
        if tag == "th":
            assert a.get("scope") in ("row", "col")
        if tag == "section":
            self.section = a["id"]
            self.sections[self.section], self.tables[self.section] = "", []
        if "id" in a:
            assert a["id"] not in self.ids
            self.ids.add(a["id"])
        if tag == "tr" and self.section:
            self.tables[self.section].append([])
        if tag in ("td", "th") and self.section:
            self.tables[self.section][-1].append("")
            self.cell = True
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag
        if tag in ("td", "th"):
            self.cell = None
        if tag == "section":
            self.section = ""

    def handle_data(self, text):
        if "style" in self.open:
            return
        self.sections[self.section] += text
        if self.cell and self.section:
            self.tables[self.section][-1][-1] += text

    def cells(self, section, first):
        """The row of a section's tables that begins with `first`."""
        return next(row for row in self.tables[section] if row and row[0] == first)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Page(name)
        print(name, len(page.sections) - 1, "sections,", len(page.images), "pictures")
