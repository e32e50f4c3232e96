"""Builds the documentation site: pages of the repository and pages made of the program, with MkDocs.

    build.py DESCRIBED PAGES SITE [API]

DESCRIBED has what `described.py` wrote, PAGES is where the pages are put together, SITE where the site goes. API is the folder with the
reference of DocC, which becomes a part of the site, where it is.
"""
import fnmatch
import json
import logging
import os
import re
import shutil
import sys
from pathlib import Path

import material
import mkdocs.commands.build
import mkdocs.config
import mkdocs.exceptions
import mkdocs.utils

import commands
import http_pages
import settings
import staging as stages

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import pages

THEME = Path(__file__).resolve().parent / "theme"
# Scripts, styles, fonts, images and frames of other hosts, which a site without a network does not have.
TAGS = re.compile(r"<(?:script|link|img|iframe|source|video|audio)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//[^\s\">]+", re.IGNORECASE)
STYLES = re.compile(r"url\([\"']?(?:https?:)?//[^)]*\)|@import\s+[\"'](?:https?:)?//[^\"']*", re.IGNORECASE)


def link(path, title, at):
    return f"[{title}]({os.path.relpath(path, os.path.dirname(at) or '.')})"


def index_of(staging, folder, title, text):
    """A page that lists the pages of a folder."""
    at = f"{folder}/index.md"
    listed = [path for path in sorted(staging.written) if os.path.dirname(path) == folder and path != at]
    lines = [f"# {title}", "", text, "", *(f"* {link(path, staging.written[path], at)}" for path in listed)]
    staging.write(at, "\n".join(lines) + "\n")


def icon(name):
    """A picture of the theme. MkDocs would take `:mm:` in a text for a name, too, and fetch its picture from another host."""
    file = Path(material.__file__).parent / "templates/.icons/material" / f"{name}.svg"
    return f'<span class="twemoji">{file.read_text(encoding="utf-8").strip()}</span>'


def front_page(staging, readers):
    """The page on which each reader finds where to begin."""
    at = "index.md"
    named = set(flat(entry for reader in readers for entry in reader["pages"]))
    more = [path for path in sorted(staging.written) if path.startswith("tutorials/") and path != "tutorials/index.md" and path not in named]
    lines = [
        "---", "hide: [navigation, toc]", "---", "# Earshot", "",
        "Earshot recognizes audio. It turns recordings into small signatures, keeps them in a catalog of your own, and finds a damaged piece of "
        "one again, or says that nothing matched. It is a Swift package, the command `earshot` and a service, for Linux and Apple systems.", "",
        '<div class="grid cards" markdown>', "",
    ]
    for reader in readers:
        listed = reader["pages"] + (more if reader is readers[-1] else [])
        lines += [f"-   {icon(reader['icon'])} __{reader['name']}__", "", "    ---", "", f"    {reader['text']}", ""]
        for entry in listed:
            title, path = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
            if path in staging.written:
                kind = "Tutorial: " if path.startswith("tutorials/") else ""
                lines.append(f"    - {link(path, title or kind + staging.written[path], at)}")
        lines.append("")
    staging.write(at, "\n".join([*lines, "</div>", ""]))


def swift_page(staging, api):
    """The list of the modules; each has its reference where DocC has built it."""
    at, rows = "swift/index.md", []
    built = {folder.name for folder in api.iterdir()} if api and api.is_dir() else set()
    for path in sorted(path for path in staging.written if re.fullmatch(r"swift/[^/]+/index\.md", path)):
        module = path.split("/")[1]
        text = (staging.folder / path).read_text(encoding="utf-8")
        abstract = next((line for line in text.split("\n")[1:] if line.strip()), "")
        # A link in Markdown would have to lead to a page of MkDocs.
        reference = f'<a href="../api/{module}/documentation/{module.lower()}/index.html">declarations</a>' if module in built else ""
        if module in built:
            reference_here = f'<a href="../../api/{module}/documentation/{module.lower()}/index.html">All declarations</a>'
            staging.write(path, f"{text.rstrip()}\n\n{reference_here} (by DocC; needs a web server)\n")
        rows.append(f"| {link(path, module, at)} | {abstract} |" + (f" {reference} |" if built else ""))
    text = ("The declarations are built by DocC. Its pages need a web server: `python3 -m http.server --directory .build/docs/site`."
            if built else "The declarations of all modules are built by `scripts/docs` without `--site`.")
    staging.write(at, "\n".join(["# Swift modules", "", "An app imports `Earshot`, which brings the modules that most apps need.", "", text, "",
                                 "| module | contents |" + (" reference |" if built else ""), "|---|---|" + ("---|" if built else ""), *rows]) + "\n")


def reference_page(staging):
    entries = [
        ("reference/command/index.md", "all subcommands, options and arguments"), ("reference/http/index.md", "requests of the service"),
        ("swift/index.md", "libraries for apps"), ("errors.md", "codes and remedies"), ("reference/configuration.md", "files of settings"),
        ("json.md", "what commands print for programs"), ("formats/index.md", "the bytes of files"),
        ("compatibility.md", "what later versions still read"), ("measurements.md", "how well"), ("performance.md", "how fast"),
    ]
    at = "reference/index.md"
    lines = [f"* {link(path, staging.written[path], at)}: {text}" for path, text in entries]
    schemas = [path for path in sorted(staging.written) if path.startswith("reference/schemas/")]
    lines += [f"* {link(path, staging.written[path], at)}: JSON schema" for path in schemas]
    staging.write(at, "\n".join(["# Reference", "", *lines]) + "\n")


def how_to_page(staging, part):
    """The pages of a part of the navigation, by its groups."""
    at, lines = "how-to.md", ["# How-to", "", "Pages about one task each, by reader. The [command, by task](command.md) is the shortest way to a subcommand."]
    if "command.md" not in staging.written:
        lines[-1] = "Pages about one task each, by reader."
    for entry in part:
        if isinstance(entry, dict):
            for group, paths in entry.items():
                lines += ["", f"## {group}", ""]
                lines += [f"* {link(path, staging.written[path], at)}" for path in paths if path in staging.written]
    staging.write(at, "\n".join(lines) + "\n")


def navigation(entries, written):
    """The navigation with pages in the place of names with `*`, and without pages that are not there. The second answer are its pages."""
    named = {entry for entry in flat(entries) if "*" not in entry}

    def expanded(part):
        made = []
        for entry in part:
            if isinstance(entry, dict):
                for title, inside in entry.items():
                    inside = expanded([inside] if isinstance(inside, str) else inside)
                    if inside:
                        # A page by itself may have a title of its own here.
                        made.append({title: inside[0] if isinstance(entry[title], str) else inside})
            elif "*" in entry:
                # A star stands for no slash.
                fitting = [path for path in sorted(written) if fnmatch.fnmatchcase(path, entry) and path.count("/") == entry.count("/")]
                made += [path for path in fitting if path not in named]
            elif entry in written:
                made.append(entry)
            else:
                print(f"docs: Docs/mkdocs.yml names {entry}, which is not there")
        return made

    made = expanded(entries)
    return made, set(flat(made))


def flat(entries):
    for entry in entries:
        if isinstance(entry, dict):
            for inside in entry.values():
                yield from flat([inside] if isinstance(inside, str) else inside)
        else:
            yield entry


def main():
    described, folder, site, *rest = (Path(name).resolve() for name in sys.argv[1:])
    api = rest[0] if rest else None
    shutil.rmtree(folder, ignore_errors=True)
    with open(pages.ROOT / "Docs/mkdocs.yml", encoding="utf-8") as file:
        config = mkdocs.utils.yaml_load(file)
    entries, readers = config["nav"], config["extra"]["readers"]

    staging = stages.Staging(folder)
    told = {name: json.loads((described / f"{name}.json").read_text()) for name in ("command", "openapi", "settings")}
    for name in pages.files():
        if re.fullmatch(r"Docs/schemas/[^/]+\.json", name):
            staging.place(name)
    commands.write(staging, told["command"])
    http_pages.write(staging, told["openapi"])
    settings.write(staging, told["settings"])
    staging.write_pages()
    index_of(staging, "decisions", "Decisions", "Why things are as they are, for those who want to change them.")
    index_of(staging, "formats", "File formats", "The bytes of files, for those who read or write them with other programs.")
    index_of(staging, "tutorials", "Tutorials", "Each takes a few minutes, and works on the sample music of the checkout.")
    swift_page(staging, api)
    reference_page(staging)
    how_to_page(staging, next(entry["How-to"] for entry in entries if "How-to" in entry))
    front_page(staging, readers)
    for file in THEME.iterdir():
        (folder / "assets").mkdir(exist_ok=True)
        shutil.copy(file, folder / "assets")

    nav, named = navigation(entries, staging.written)
    left = [path for path in sorted(staging.written) if path not in named and not path.startswith("files/")]
    if left:
        print(f"docs: Docs/mkdocs.yml does not name {', '.join(left)}")
        nav.append({"More": left})
    build(nav, folder, site)
    if api and api.is_dir():
        shutil.copytree(api, site / "api")
    check(site)
    print(f"docs: {len(staging.written)} pages in {site}: open {site}/index.html")


def build(nav, folder, site):
    """Builds the site; a warning, as for a link that leads nowhere, ends it."""
    config = mkdocs.config.load_config(str(pages.ROOT / "Docs/mkdocs.yml"), hooks=[str(Path(__file__).with_name("hooks.py"))], docs_dir=str(folder), site_dir=str(site), nav=nav, strict=True,
                                       not_in_nav="/files/*")
    logging.basicConfig(format="docs: %(message)s", level=logging.WARNING)
    try:
        mkdocs.commands.build.build(config)
    except mkdocs.exceptions.Abort as error:
        sys.exit(f"docs: {error}")


def check(site):
    """Fails for pages that would fetch something from another host."""
    faults = 0
    for pattern, suffix in ((TAGS, "html"), (STYLES, "css")):
        for file in site.rglob(f"*.{suffix}"):
            if file.relative_to(site).parts[0] == "api":
                continue
            for match in pattern.finditer(file.read_text(encoding="utf-8", errors="replace")):
                print(f"docs: {file.relative_to(site)} fetches {match[0]}")
                faults += 1
    if faults:
        sys.exit("docs: the site is to need no network")


if __name__ == "__main__":
    main()
