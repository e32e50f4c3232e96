"""The description of the service by OpenAPI as pages of the site: operations by tag, and schemas."""
import http
import re
import sys
from pathlib import Path

from commands import cell

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import pages

STATUSES = "Sources/EarshotServer/Kernel/Responses/EarshotError+HTTP.swift"
# Statuses by their names in Swift, where Python has others.
NAMES = {"contentTooLarge": 413, "unprocessableContent": 422}
# The values of a parameter that is on or off.
FLAG = ["0", "1", "true", "false"]
METHODS = ["get", "post", "put", "patch", "delete", "head"]


def name_of(reference):
    return reference.rsplit("/", 1)[1]


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def bounds(schema):
    """What limits a value, as words."""
    words = []
    if "minimum" in schema and "maximum" in schema:
        words.append(f"{schema['minimum']} to {schema['maximum']}")
        schema = {key: value for key, value in schema.items() if key not in ("minimum", "maximum")}
    for word, key in (("from", "minimum"), ("above", "exclusiveMinimum"), ("to", "maximum"), ("below", "exclusiveMaximum")):
        if key in schema:
            words.append(f"{word} {schema[key]}")
    for what, low, high in (("characters", "minLength", "maxLength"), ("items", "minItems", "maxItems")):
        if low in schema and high in schema:
            words.append(f"{schema[low]} to {schema[high]} {what}")
        elif high in schema:
            words.append(f"at most {schema[high]} {what}")
        elif low in schema:
            words.append(f"at least {schema[low]} {what}")
    if "pattern" in schema:
        words.append(f"matches `{schema['pattern']}`".replace("|", "\\|"))
    if "default" in schema:
        words.append(f"default `{schema['default']}`")
    return ", ".join(words)


def kind(schema, schemas):
    """The type of a value, with links to named schemas. `schemas` is the path of their page."""
    if not isinstance(schema, dict) or not schema:
        return "any"
    if "$ref" in schema:
        name = name_of(schema["$ref"])
        return f"[{name}]({schemas}#{anchor(name)})"
    for word in ("oneOf", "anyOf", "allOf"):
        if word in schema:
            kinds = [kind(one, schemas) for one in schema[word]]
            # A part of `allOf` that only says which members are required is no type.
            kinds = [one for one in kinds if one != "any" or word != "allOf"] or ["any"]
            return (" and " if word == "allOf" else " or ").join(kinds)
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("enum") == FLAG:
        return "flag"
    if "enum" in schema:
        return "one of " + ", ".join(f"`{one}`" for one in schema["enum"])
    types = schema.get("type", "object" if "properties" in schema else "any")
    types = types if isinstance(types, list) else [types]
    told = []
    for one in types:
        if one == "array":
            told.append(f"array of {kind(schema.get('items', {}), schemas)}")
        elif one == "object" and isinstance(schema.get("additionalProperties"), dict):
            told.append(f"object of {kind(schema['additionalProperties'], schemas)} by name")
        else:
            told.append(one + (f" ({schema['format']})" if "format" in schema and one != "null" else ""))
    limit = bounds(schema)
    return " or ".join(told) + (f", {limit}" if limit else "")


def members(schema, schemas, before=""):
    """Rows of a table: the members of an object, those of objects in it behind them."""
    rows = []
    if schema.get("type") == "array" or "items" in schema:
        return members(schema.get("items", {}), schemas, before + "[]")
    for part in schema.get("allOf", []):
        if "$ref" not in part:
            rows += members(part, schemas, before)
    required = schema.get("required", [])
    for name, one in schema.get("properties", {}).items():
        path = f"{before}.{name}" if before else name
        told = one.get("description", "") if isinstance(one, dict) else ""
        rows.append(f"| `{path}` | {kind(one, schemas)} | {'yes' if name in required else ''} | {cell(told)} |")
        if isinstance(one, dict) and "$ref" not in one:
            rows += members(one, schemas, path)
    return rows


def table(schema, schemas):
    rows = members(schema, schemas)
    others = [one for one in schema.get("allOf", []) if "$ref" in one]
    before = ["Has the members of " + " and ".join(kind(one, schemas) for one in others) + ", and these:", ""] if rows and others else []
    return [*before, "| member | type | required | meaning |", "|---|---|---|---|", *rows, ""] if rows else []


def access(operation):
    security = operation.get("security", [])
    if not security:
        return "Needs no token."
    return "A token is optional." if {} in security else "Needs a token."


def codes():
    """The error codes of each status, from the code of the service."""
    found = {}
    text = re.search(r"switch self \{(.*?)\n        \}", (pages.ROOT / STATUSES).read_text(encoding="utf-8"), re.DOTALL)[1]
    for names, status in re.findall(r"case ([^:]*):\s*(\.\w+|HTTPResponse\.Status\(code: \d+)", text):
        found.setdefault(status_number(status), []).extend(re.findall(r"\w+", names))
    return found


def status_number(text):
    if text[0] != ".":
        return int(re.search(r"\d+", text)[0])
    name = text[1:]
    # `badRequest` is BAD_REQUEST.
    return NAMES.get(name) or int(http.HTTPStatus[re.sub(r"(?=[A-Z])", "_", name).upper()])


def codes_page():
    """The lines of the page of the error codes that a service answers with."""
    errors = pages.page("Docs/errors.md")
    told = {}
    for line in errors.lines:
        cells = [one.strip() for one in line.split("|")[1:-1]]
        if len(cells) == 4 and cells[0].startswith("`"):
            told.setdefault(cells[0].strip("`"), cells[2:])
    lines = ["# Error codes by status", "", "A refusal tells its `code` in the form [Failure](schemas.md#failure). These are the usual statuses of the codes; a "
             "request that changes something which is not as the sender takes it to be is refused with 409, whatever the code. All other codes come with 500. "
             "[Errors](../../errors.md) lists all codes.", ""]
    for status, names in sorted(codes().items()):
        lines += [f"## {status}", "", "| code | meaning | remedy |", "|---|---|---|"]
        lines += [f"| `{name}` | {' | '.join(told.get(name, ('', '')))} |" for name in names]
        lines.append("")
    return lines


def operation_lines(method, path, operation):
    schemas = "schemas.md"
    lines = [f"## `{method.upper()} {path}`", "", f"{cell(operation.get('summary', ''))} {access(operation)}", ""]
    if operation.get("description"):
        lines += [cell(operation["description"]), ""]
    parameters = operation.get("parameters", [])
    if parameters:
        lines += ["| parameter | in | type | required | meaning |", "|---|---|---|---|---|"]
        for one in parameters:
            lines.append(f"| `{one['name']}` | {one['in']} | {kind(one.get('schema', {}), schemas)} | "
                         f"{'yes' if one.get('required') else ''} | {cell(one.get('description', ''))} |")
        lines.append("")
    for content, entry in sorted(operation.get("requestBody", {}).get("content", {}).items()):
        schema = entry.get("schema", {})
        lines += [f"Body `{content}`: {kind(schema, schemas)}", ""]
        if "$ref" not in schema:
            lines += table(schema, schemas)
    lines += ["| answer | meaning | body |", "|---|---|---|"]
    shown, known = [], codes()
    for status, answer in sorted(operation.get("responses", {}).items()):
        bodies = []
        for content, entry in sorted(answer.get("content", {}).items()):
            schema = entry.get("schema", {})
            bodies.append(f"`{content}`: {kind(schema, schemas)}" if schema else f"`{content}`")
            if status.startswith("2") and "$ref" not in schema:
                shown += table(schema, schemas)
        number = f"[{status}](error-codes.md#{status})" if status.isdigit() and int(status) in known else status
        lines.append(f"| {number} | {cell(answer.get('description', ''))} | {'<br>'.join(bodies)} |")
    lines.append("")
    if shown:
        lines += ["Members of the answer:", "", *shown]
    return lines


def file_of(tag):
    return re.sub(r"[^a-z0-9]+", "-", tag.lower()).strip("-") + ".md"


def write(staging, document):
    """Writes a page for each tag, one for all schemas, and one that lists all operations."""
    tags = {}
    for path, operations in sorted(document["paths"].items()):
        for method in METHODS:
            if method in operations:
                tag = (operations[method].get("tags") or ["Service"])[0]
                tags.setdefault(tag, []).append((method, path, operations[method]))
    listed = [
        "# HTTP interface", "",
        f"All requests of a recognition service, version {document['info'].get('version', '?')} of the interface, for those who write a client. "
        "A running service describes itself at `/v1/openapi.json` by OpenAPI 3.1; this page is made of that description.", "",
        "A request that needs a token has it in the header `Authorization: Bearer TOKEN`; `POST /v1/tokens` gives one "
        "([Running a service](../../service.md#who-may-ask)). Every refusal has the form [Failure](schemas.md#failure), whose `code` is "
        "one of the [error codes](error-codes.md). The Swift module [EarshotClient](../../client.md) sends these requests for you.", "",
        "A *flag* is `1` or `true`, and `0` or `false`.", "",
    ]
    for tag in sorted(tags):
        lines = [f"# {tag}", ""]
        listed += [f"## {tag}", "", "| request | what it does |", "|---|---|"]
        for method, path, operation in tags[tag]:
            title = f"{method.upper()} {path}"
            listed.append(f"| [`{title}`]({file_of(tag)}#{anchor(title)}) | {cell(operation.get('summary', ''))} |")
            lines += operation_lines(method, path, operation)
        listed.append("")
        staging.write(f"reference/http/{file_of(tag)}", "\n".join(lines))
    staging.write("reference/http/index.md", "\n".join(listed))
    staging.write("reference/http/error-codes.md", "\n".join(codes_page()))

    lines = ["# Schemas", "", "The objects in bodies and answers of the [HTTP interface](index.md).", ""]
    for name, schema in sorted(document.get("components", {}).get("schemas", {}).items()):
        lines += [f"## {name}", ""]
        if schema.get("description"):
            lines += [cell(schema["description"]), ""]
        lines += table(schema, "") or [f"{kind(schema, '')}", ""]
    staging.write("reference/http/schemas.md", "\n".join(lines))


def schema_page(name, schema):
    """The lines of the page of a JSON schema, with a heading for each of its definitions, up to its own text."""
    lines = [f"# {schema.get('title', name)}", "", cell(schema.get("description", "")), ""]
    lines += [f"The schema is `{name}`. Its forms: {kind({key: schema[key] for key in ('anyOf', 'oneOf', '$ref', 'type') if key in schema}, '')}.", ""]
    lines += table(schema, "")
    for title, definition in sorted(schema.get("$defs", {}).items()):
        lines += [f"## {title}", ""]
        if definition.get("description"):
            lines += [cell(definition["description"]), ""]
        lines += table(definition, "") or [kind(definition, ""), ""]
    return [*lines, "## The file", ""]
