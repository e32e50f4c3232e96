"""Pages of the repository as pages of the site: where they go, their links, and the few things that MkDocs reads in another way."""
import json
import os
import posixpath
import re
import sys
import urllib.parse
from pathlib import Path

import http_pages

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import pages

# A file beyond this size, in bytes, is named and not shown.
LARGEST = 100_000
LANGUAGES = {".swift": "swift", ".json": "json", ".py": "python", ".c": "c", ".h": "c", ".cpp": "cpp", ".yml": "yaml", ".yaml": "yaml",
             ".sh": "bash", ".cfg": "text", ".service": "ini", ".rb": "ruby", ".csv": "text", ".txt": "text"}
IMAGES = {".png", ".svg", ".jpg", ".jpeg", ".gif"}
LEFT_OUT = ("Tests/",)


def site_path(name):
    """The path on the site of a page of the repository."""
    if name == "README.md":
        return "overview.md"
    if name == "Docs/README.md":
        return "contents.md"
    if name.startswith("Docs/"):
        return name[len("Docs/"):]
    article = re.match(r"Sources/[^/]+/([^/]+)\.docc/(.+)$", name)
    if article:
        module, rest = article.groups()
        return f"swift/{module}/index.md" if rest == f"{module}.md" else f"swift/{module}/{rest}"
    return name


class Staging:
    """The folder from which the site is built."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.pages = {name: site_path(name) for name in pages.markdown_files() if not name.startswith(LEFT_OUT)}
        self.articles = {Path(name).stem: name for name in self.pages if ".docc/" in name}
        self.shown = {}  # Files of the repository that are pages of the site since a link leads to them.
        self.written = {}  # The title of each page of the site.

    def write(self, path, text):
        """Writes a page of the site. The first heading is its title."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.written[path] = pages.Page(path, text).title

    def write_pages(self):
        """Writes all pages, and whatever their links lead to."""
        for name, path in sorted(self.pages.items()):
            self.write(path, self.converted(pages.page(name), path))
        done = set()
        while set(self.shown) - done:
            for name in sorted(set(self.shown) - done):
                self.write(self.shown[name], self.shown_file(name))
                done.add(name)

    def converted(self, page, path):
        """The text of a page of the repository at a path of the site."""
        text = page.text
        if ".docc/" in page.path:
            text = self.without_symbols(text)
            page = pages.Page(page.path, text)
        changes = []
        for pattern in (pages.LINK, pages.ATTRIBUTE):
            for match in pattern.finditer(page.prose):
                changes.append((match.start(1), match.end(1), self.target(page.path, path, match[1])))
        for start, end, target in sorted(changes, reverse=True):
            text = text[:start] + target + text[end:]
        return lists(pages.Page(page.path, text))

    def without_symbols(self, text):
        """An article of DocC without links to declarations, which are in the reference of the module."""
        text = re.sub(r"``([^`\n]+)``", lambda match: f"`{match[1]}`" if not text[:match.start()].endswith("# ") else match[1], text)

        def link(match):
            name = self.articles.get(match[1])
            return f"[{pages.page(name).title}]({os.path.basename(name)})" if name else f"`{match[1].split('/')[-1]}`"

        return re.sub(r"<doc:([^>\s]+)>", link, text)

    def target(self, name, path, target):
        """A link of the page `name`, which is at `path` of the site, as the site has it."""
        if urllib.parse.urlsplit(target).scheme or target.startswith(("//", "#")):
            return target
        file, _, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(file)))
        if ".docc/" in name and file not in self.pages and Path(file).stem in self.articles:
            file = self.articles[Path(file).stem]
        if (pages.ROOT / file).is_dir() and f"{file}/README.md" in self.pages:
            file = f"{file}/README.md"
        if not (pages.ROOT / file).exists():
            # MkDocs names it.
            return target
        place = self.pages.get(file) or self.place(file)
        return posixpath.relpath(place, posixpath.dirname(path) or ".") + (f"#{anchor}" if anchor else "")

    def place(self, name):
        """Where a file or folder of the repository that is no page is on the site."""
        if name in ("Docs/decisions", "Docs/formats", "Docs/tutorials"):
            return f"{name[len('Docs/'):]}/index.md"
        if Path(name).suffix in IMAGES:
            place = name[len("Docs/"):] if name.startswith("Docs/") else name
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / place).write_bytes((pages.ROOT / name).read_bytes())
            return place
        if name.startswith("Docs/schemas/") and name.endswith(".json"):
            return self.shown.setdefault(name, f"reference/schemas/{posixpath.basename(name).split('.')[0]}.md")
        # No page may be called README or index here: MkDocs takes these for folders.
        return self.shown.setdefault(name, "files/" + re.sub(r"[^\w.]", "-", name) + ".md")

    def shown_file(self, name):
        """The page of a file, or of the files of a folder."""
        file = pages.ROOT / name
        inside = [name] if file.is_file() else [other for other in pages.files() if other.startswith(name + "/")]
        lines = ["---", "search:", "  exclude: true", "---", f"# {name}", ""]
        if name.startswith("Docs/schemas/"):
            lines = http_pages.schema_page(name, json.loads(file.read_text(encoding="utf-8")))
        if sum((pages.ROOT / other).stat().st_size for other in inside) > LARGEST:
            return "\n".join([*lines, *(f"* `{other}`" for other in inside), ""])
        for other in inside:
            file = pages.ROOT / other
            if other != name:
                lines += [f"## {other[len(name) + 1:]}", ""]
            data = file.read_bytes()
            if len(data) > LARGEST or b"\0" in data:
                lines += [f"{len(data):,} bytes", ""]
                continue
            text = data.decode(errors="replace").rstrip("\n")
            language = LANGUAGES.get(file.suffix) or ("bash" if text.startswith("#!") and "sh" in text.split("\n")[0] else "text")
            marks = "`" * (max((len(run) for run in re.findall(r"`{3,}", text)), default=2) + 1)
            lines += [f"{marks}{language}", text, marks, ""]
        return "\n".join(lines)


def lists(page):
    """The text of a page with lists as MkDocs reads them: an empty line before each, and four spaces for each level."""
    made = []
    items = []  # For each open item where its text begins.
    # Whether an empty line was seen in the list: without one before each item behind it, MkDocs takes the item for text.
    blank, loose = True, False
    blocks = {block.line - 1 for block in page.blocks}
    for index, line in enumerate(page.lines):
        if not line.strip():
            made.append("")
            blank = True
            loose = loose or bool(items)
            continue
        indent = len(line) - len(line.lstrip(" "))
        inside_code = index in page.code
        if not inside_code or index in blocks:
            item = None if inside_code else pages.ITEM.match(line)
            while items and indent < items[-1] and (blank or item or inside_code or pages.HEADING.match(line)):
                items.pop()
        if inside_code:
            made.append("    " * len(items) + line[min(items[-1] if items else 0, indent):])
            blank = False
            continue
        before = "    " * len(items)
        if item:
            begins = not items and not pages.ITEM.match(made[-1] if made else "") and not (made and made[-1].startswith("    "))
            if made and not blank and (loose or begins):
                made.append("")
            items.append(len(item[1]) + len(item[2]) + len(item[3]))
            made.append(before + item[2] + " " + line[len(item[1]) + len(item[2]):].lstrip())
        else:
            made.append(before + line.lstrip(" ") if items else line)
            loose = loose and bool(items)
        blank = False
    return "\n".join(made)
