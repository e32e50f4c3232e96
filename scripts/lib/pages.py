"""Pages in Markdown as the checks and the site read them: headings, links, blocks of code and their marks."""
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\S*)")
ITEM = re.compile(r"^(\s*)([-*+]|\d{1,9}[.)])(\s+)\S")
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
MARK = re.compile(r"^\s*<!--\s*(?:(run)(?:\s+after:\s*(\S.*?))?(?:\s+beside:\s*(\S.*?))?|swift:\s*(\S+)|not run:\s*(\S.*?))\s*-->\s*$")
LINK = re.compile(r"\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
DOC_LINK = re.compile(r"<doc:([^>\s]+)>")
ATTRIBUTE = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)=\"([^\"]+)\"")


@dataclass
class Block:
    """A block of code. `line` is its first line on the page, counted from 1: the fence, where it has one."""
    line: int
    language: str
    lines: list
    #: `run`, `swift` or `not run`, with what follows; `None` without a mark.
    mark: tuple = None


def slug(title):
    """The anchor of a heading, as GitHub makes it."""
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    title = re.sub(r"<[^>]+>", "", title) if "`" not in title else title
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


class Page:
    """A page at a path in the repository."""

    def __init__(self, path, text=None):
        self.path = str(path)
        self.text = (ROOT / path).read_text(encoding="utf-8") if text is None else text
        self.lines = self.text.split("\n")
        self.blocks = []
        #: The numbers of lines, counted from 0, that are code.
        self.code = set()
        self._read()

    def _read(self):
        items = []  # Where the text of the open items of a list begins.
        blank, index, paragraph = True, 0, False
        while index < len(self.lines):
            line = self.lines[index]
            if not line.strip():
                blank, paragraph, index = True, False, index + 1
                continue
            indent = len(line) - len(line.lstrip(" "))
            while items and indent < items[-1] and (blank or ITEM.match(line)):
                items.pop()
            inside = items[-1] if items else 0
            fence = FENCE.match(line)
            if fence and indent < inside + 4:
                index = self._read_fence(index, fence)
                blank = paragraph = False
                continue
            if indent >= inside + 4 and not paragraph:
                index = self._read_indented(index, inside + 4)
                blank = True
                continue
            item = ITEM.match(line)
            if item:
                items.append(len(item[1]) + len(item[2]) + min(len(item[3]), 4))
            paragraph = not (HEADING.match(line) or MARK.match(line))
            blank, index = False, index + 1

    def _read_fence(self, first, fence):
        last = first + 1
        while last < len(self.lines) and not re.match(rf"^\s*{re.escape(fence[2])}+\s*$", self.lines[last]):
            last += 1
        lines = [line[len(fence[1]):] if line.startswith(fence[1]) else line.lstrip() for line in self.lines[first + 1:last]]
        self._add(Block(first + 1, fence[3], lines), first, last + 1)
        return last + 1

    def _read_indented(self, first, indent):
        last = first
        while last < len(self.lines) and (not self.lines[last].strip() or self.lines[last].startswith(" " * indent)):
            last += 1
        while not self.lines[last - 1].strip():
            last -= 1
        self._add(Block(first + 1, "", [line[indent:] for line in self.lines[first:last]]), first, last)
        return last

    def _add(self, block, first, last):
        above = first - 1
        if above >= 0 and not self.lines[above].strip():
            above -= 1
        mark = MARK.match(self.lines[above]) if above >= 0 and above not in self.code else None
        if mark:
            runs, after, beside, file, reason = mark.groups()
            block.mark = ("run", (after, beside)) if runs else ("swift", file) if file else ("not run", reason)
        self.blocks.append(block)
        self.code.update(range(first, last))

    @cached_property
    def headings(self):
        """Number of the line from 0, level and title of each heading."""
        found = []
        for index, line in enumerate(self.lines):
            match = None if index in self.code else HEADING.match(line)
            if match:
                found.append((index, len(match[1]), match[2]))
        return found

    @property
    def title(self):
        """The first heading, without marks."""
        for _, _, title in self.headings:
            return plain(title)
        return Path(self.path).stem

    @cached_property
    def anchors(self):
        """All anchors of headings."""
        found, counts = set(), {}
        for _, _, title in self.headings:
            name = slug(title)
            number = counts.get(name, 0)
            counts[name] = number + 1
            found.add(f"{name}-{number}" if number else name)
        for index, line in enumerate(self.lines):
            if index not in self.code:
                found.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
        return found

    @cached_property
    def prose(self):
        """The text with as many spaces in the place of code and comments, so that positions are the same."""
        lines = [" " * len(line) if index in self.code else line for index, line in enumerate(self.lines)]
        text = "\n".join(lines)
        spaces = lambda match: re.sub(r"[^\n]", " ", match[0])
        text = re.sub(r"<!--.*?-->", spaces, text, flags=re.DOTALL)
        return re.sub(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", spaces, text, flags=re.DOTALL)

    def links(self):
        """Number of the line from 1, kind (`link` or `doc`) and target of each link."""
        for kind, pattern in (("link", LINK), ("doc", DOC_LINK), ("link", ATTRIBUTE)):
            for match in pattern.finditer(self.prose):
                yield self.prose.count("\n", 0, match.start()) + 1, kind, match[1]


def plain(title):
    """A heading without the marks of code and links."""
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")


@lru_cache(maxsize=None)
def page(path):
    """The page at a path in the repository."""
    return Page(path)


@lru_cache(maxsize=None)
def files():
    """All files of the repository, new ones too, without those that are removed."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
    if done.returncode == 0:
        names = [name for name in done.stdout.split("\0") if name]
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file() and ".build" not in path.parts]
    return sorted({name for name in names if (ROOT / name).is_file()})


def markdown_files():
    """All pages of the repository."""
    return [name for name in files() if name.endswith(".md")]
