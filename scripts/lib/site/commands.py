"""The manual of `earshot` as pages of the site."""
import html
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import manual


def cell(text):
    """Text in a table."""
    return html.escape(text, quote=False).replace("|", "\\|").replace("\n", " ").replace("*", "\\*").replace("_", "\\_")


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def value(argument):
    return f"<{argument.get('valueName', 'value')}>"


def told(command, path):
    """The arguments of a command. `--help` and `--version`, which each of them has, stand on the first page alone."""
    for argument in filter(manual.shown, command.get("arguments", [])):
        if len(path) == 1 or not {name["name"] for name in argument.get("names") or []} & {"help", "version"}:
            yield argument


def synopsis(command, path):
    words = [" ".join(path)]
    for argument in told(command, path):
        if argument["kind"] == "positional":
            word = value(argument)
        else:
            word = spelled(argument.get("preferredName") or argument["names"][0])
            word += f" {value(argument)}" if argument["kind"] == "option" else ""
        word += " ..." if argument.get("isRepeating") else ""
        words.append(f"[{word}]" if argument.get("isOptional") else word)
    if subcommands(command):
        words.append("<subcommand>")
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > 90:
            lines.append("   ")
        lines[-1] += (" " if lines[-1].strip() else "") + word
    return lines


def subcommands(command):
    return [sub for sub in command.get("subcommands", []) if manual.shown(sub) and sub["commandName"] != "help"]


def arguments(command, path):
    rows = ["| argument | default | meaning |", "|---|---|---|"]
    for argument in told(command, path):
        if argument["kind"] == "positional":
            head = f"`{value(argument)}`"
        else:
            names = ", ".join(f"`{spelled(name)}`" for name in argument["names"])
            head = names + (f" `{value(argument)}`" if argument["kind"] == "option" else "")
        text = " ".join(filter(None, (argument.get("abstract"), argument.get("discussion"))))
        default = argument.get("defaultValue")
        rows.append(f"| {head} | {f'`{default}`' if default else ''} | {cell(text)} |")
    return rows if len(rows) > 2 else []


def section(command, path, level):
    """The lines of a command and, with `level` beyond 1, of its subcommands behind it."""
    body, examples = manual.discussion(command)
    lines = ["#" * level + " " + " ".join(path), "", cell(command.get("abstract", "")), ""]
    lines += ["```text", *synopsis(command, path), "```", ""]
    if body:
        lines += [html.escape(body, quote=False), ""]
    rows = arguments(command, path)
    if rows:
        lines += [*rows, ""]
    if examples:
        lines += ["```sh", *[line[2:] if line.startswith("  ") else line for line in examples.split("\n")], "```", ""]
    return lines


def write(staging, described):
    """Writes a page for each subcommand of the program, and one that lists them."""
    root = described["command"]
    name = root["commandName"]
    listed = ["# Command", "", *section(root, [name], 2)] + ["## Subcommands", "", "| command | what it does |", "|---|---|"]
    for command in sorted(subcommands(root), key=lambda command: command["commandName"]):
        words = [name, command["commandName"]]
        lines = section(command, words, 1)

        def visit(parent, path):
            for sub in subcommands(parent):
                lines.extend(section(sub, [*path, sub["commandName"]], 2))
                visit(sub, [*path, sub["commandName"]])

        visit(command, words)
        staging.write(f"reference/command/{command['commandName']}.md", "\n".join(lines))
        listed.append(f"| [{' '.join(words)}]({command['commandName']}.md) | {cell(command.get('abstract', ''))} |")
        for sub in subcommands(command):
            path = [*words, sub["commandName"]]
            listed.append(f"| [{' '.join(path)}]({command['commandName']}.md#{'-'.join(path)}) | {cell(sub.get('abstract', ''))} |")
    staging.write("reference/command/index.md", "\n".join(listed) + "\n")
