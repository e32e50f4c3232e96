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
    return [name.strip() for name in re.sub(r"\bcase\b", ",", body).split(",") if name.strip()]


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


def size(number):
    """A number of bytes by its unit."""
    for power, unit in ((60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if number and number % (1 << power) == 0:
            return f"{number >> power:,} {unit}"
    return str(number)


def span(low, high):
    """From the smallest to the largest number. Numbers of more than 31 bits are bytes."""
    return f"{size(low)} … {size(high)}" if high >= 1 << 31 else f"{low:,} … {high:,}"


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


def rows(name, heading, table):
    """The rows of a table below a heading by each name in their first column."""
    found = tables(pages.page(name), heading)
    return {key: row for row in (found[table] if table < len(found) else []) for key in re.findall(r"`([^`]+)`", row[0])}


def meaning(row):
    """The last cell of a row; where the row is one of several keys, with their names, for it speaks of them in turn."""
    return (f"{row[0]}: " if "," in row[0] else "") + row[-1]


def default(row, name, record):
    """The value of a setting that is not given. One that depends on the machine, or that the service does not tell, stands in the row."""
    keys, parts = re.findall(r"`([^`]+)`", row[0]), row[2].split(", ")
    words = parts[keys.index(name)] if len(parts) == len(keys) else row[2]
    value = record.get("value")
    if "core" in words or record.get("source") != "default" or not value:
        return "" if words == "none" else words
    is_size = value.isdigit() and int(value) >= 1 << 20 and int(value) % (1 << 20) == 0
    return f"`{value}`" + (f" ({size(int(value))})" if is_size else "")


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
    told, limits = rows("Docs/service.md", "Settings", 0), ranges()
    defaults = {record["name"]: record for record in records}
    keys = service_keys()
    for other, names in (("Docs/service.md, Settings,", set(told)), ("the service", set(defaults))):
        if names != set(keys):
            sys.exit(f"docs: {SERVICE} and {other} have different settings: {', '.join(sorted(names ^ set(keys)))}")
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
        low, high = limits.get(name, (None, None))
        lines.append(f"| `{name}`<br>`{defaults[name]['variable']}` | {default(told[name], name, defaults[name])} | "
                     f"{span(low, high) if high is not None else ''} | {links(meaning(told[name]), staging, 'Docs/service.md')} |")
    for table, title, type, text in (
            (0, "Stations file", "Document", "`earshot monitor run FILE` reads a JSON object. [Stations](../monitor-stations.md) says more."),
            (1, "Stations", "Entry", "The members of a station."),
            (None, "Receivers", "Webhook", "The members of an entry of `webhooks`; [webhooks](../playlog.md#webhooks) says more.")):
        said = rows("Docs/monitor-stations.md", "Settings", table) if table is not None else {}
        lines += ["", f"## {title}", "", text, "", "| key | type | required |" + (" meaning |" if said else ""), "|---|---|---|" + ("---|" if said else "")]
        for name, kind in members(type):
            row = f"| `{name}` | {TYPES.get(kind.rstrip('?'), kind)} | {'' if kind.endswith('?') else 'yes'} |"
            lines.append(row + (f" {links(meaning(said[name]) if name in said else '', staging, 'Docs/monitor-stations.md')} |" if said else ""))
    staging.write("reference/configuration.md", "\n".join(lines) + "\n")
