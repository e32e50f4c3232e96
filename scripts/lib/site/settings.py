"""The keys of the files of settings, from the code that reads them, as a page of the site."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import pages

SERVICE = "Sources/ServiceCommands/Serve/ServeConfiguration.swift"
STATIONS = "Sources/ServiceCommands/Monitor/StationSettings+Document.swift"
TYPES = {"String": "text", "Int": "whole number", "Double": "number", "Bool": "`true` or `false`", "[String]": "list of texts",
         "[Webhook]": "list of [receivers](#receivers)", "[Entry]": "list of [stations](#stations)", "Live": "`{\"hours\": number}`"}


def source(name):
    return (pages.ROOT / name).read_text(encoding="utf-8")


def service_keys():
    """The names of the settings of `earshot serve`, in the order of the code."""
    body = re.search(r"enum Key: String, CaseIterable \{(.*?)\n    \}", source(SERVICE), re.DOTALL)[1]
    return [name.strip() for case in re.findall(r"case ([^\n]*(?:,\n[^\n]*)*)", body) for name in case.split(",") if name.strip()]


def ranges():
    """The smallest and largest number of each setting that is one."""
    found = {}
    for name, low, high in re.findall(r"\(\.(\w+), \\\.\w+, ([\d_]+)\.\.\.(\([^)]*\)|[\d_]+)\)", source(SERVICE)):
        found[name] = (number(low), number(high))
    for name, low, high in re.findall(r"number\(\.(\w+), ([\d_]+)\.\.\.(\([^)]*\)|[\d_]+)\)", source(SERVICE)):
        found[name] = (number(low), number(high))
    return found


def number(text):
    base, _, shift = text.strip("()").replace("_", "").partition("<<")
    return int(base) << int(shift or 0)


def span(low, high):
    """From the smallest to the largest number; large powers of two, which are bytes, by their units."""
    def told(number):
        for power, unit in ((60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
            if number and number % (1 << power) == 0:
                return f"{number >> power:,} {unit}"
        return str(number)

    return f"{told(low)} … {told(high)}" if high >= 1 << 31 else f"{low:,} … {high:,}"


def tables(page, heading):
    """The tables below a heading, each as rows of cells. Rows without code in their first cell are left out."""
    found, level, inside = [], None, False
    for index, line in enumerate(page.lines):
        title = next((entry for entry in page.headings if entry[0] == index), None)
        if title:
            if level and title[1] <= level:
                break
            level = level or (title[1] if title[2] == heading else None)
        if not line.startswith("|"):
            inside = False
        elif level:
            if not inside:
                found.append([])
            inside = True
            if line.startswith("| `"):
                found[-1].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return found


def meanings(name, heading, table):
    """What a page says of each name in the first column of a table below a heading."""
    found = tables(pages.page(name), heading)
    rows = found[table] if table < len(found) else []
    return {key: row[-1] for row in rows for key in re.findall(r"`([^`]+)`", row[0])}


def links(text, staging, name):
    """A cell of a page of the repository on the page of this module."""
    return re.sub(r"\]\(([^)]+)\)", lambda match: "](" + staging.target(
        name, "reference/configuration.md", name.split("/")[-1] + match[1] if match[1].startswith("#") else match[1]) + ")", text)


def members(type):
    """Names and types of the members of a struct in the file of stations."""
    body = re.search(rf"struct {type}: Decodable \{{(.*?)\n        enum CodingKeys", source(STATIONS), re.DOTALL)[1]
    return re.findall(r"var (\w+): (\S+)", body)


def write(staging, records):
    """Writes the page. `records` are the settings as a service without any tells them to its operator."""
    told, limits = meanings("Docs/service.md", "Settings", 0), ranges()
    defaults = {record["name"]: record for record in records}
    keys = service_keys()
    missing = [name for name in keys if name not in told] + [name for name in keys if name not in defaults]
    if missing:
        sys.exit(f"docs: Docs/service.md, Settings, or the service does not name these settings: {', '.join(sorted(set(missing)))}")
    lines = [
        "---", "hide: [toc]", "---", "# Configuration keys", "",
        "All keys of the files of settings, for operators. The table is made of the code that reads them and of the settings of a service that "
        "was given none.", "",
        "## Service", "",
        "`earshot serve` takes a setting as an option, as a variable of the environment, or from the JSON object of `--config FILE`; the first that is "
        "given counts. An unknown key is an error. [Running a service](../service.md#settings) has the reasons.", "",
        "| key and variable | default | from … to | meaning |", "|---|---|---|---|",
    ]
    for name in sorted(keys):
        default = defaults[name].get("value")
        low, high = limits.get(name, (None, None))
        lines.append(f"| `{name}`<br>`{defaults[name]['variable']}` | {f'`{default}`' if default not in (None, '') else ''} | "
                     f"{span(low, high) if high is not None else ''} | {links(told[name], staging, 'Docs/service.md')} |")
    for table, title, type, text in (
            (0, "Stations file", "Document", "`earshot monitor run FILE` reads a JSON object. [Stations](../monitor-stations.md) says more."),
            (1, "Stations", "Entry", "The members of a station."),
            (None, "Receivers", "Webhook", "The members of an entry of `webhooks`; [webhooks](../playlog.md#webhooks) says more.")):
        said = meanings("Docs/monitor-stations.md", "Settings", table) if table is not None else {}
        lines += ["", f"## {title}", "", text, "", "| key | type | required |" + (" meaning |" if said else ""), "|---|---|---|" + ("---|" if said else "")]
        for name, kind in members(type):
            row = f"| `{name}` | {TYPES.get(kind.rstrip('?'), kind)} | {'' if kind.endswith('?') else 'yes'} |"
            lines.append(row + (f" {links(said.get(name, ''), staging, 'Docs/monitor-stations.md')} |" if said else ""))
    staging.write("reference/configuration.md", "\n".join(lines) + "\n")
