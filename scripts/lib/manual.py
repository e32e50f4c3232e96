"""Manual pages of `earshot`, made of what the program itself tells of its subcommands."""
import json
import os
import re
import subprocess
import sys
import time


def escaped(text):
    """Text as roff prints it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def spelled(names):
    return ", ".join(("\\-" if name["kind"] == "short" else "\\-\\-") + escaped(name["name"]) for name in names)


def shown(argument):
    return argument.get("shouldDisplay", True)


def synopsis(command):
    words = []
    for argument in filter(shown, command.get("arguments", [])):
        value = f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"
        if argument["kind"] == "positional":
            word = value
        else:
            name = argument.get("preferredName") or argument["names"][0]
            word = f"\\fB{spelled([name])}\\fR" + (f" {value}" if argument["kind"] == "option" else "")
        if argument.get("isRepeating"):
            word += " ..."
        words.append(f"[{word}]" if argument.get("isOptional") else word)
    return words + (["\\fIsubcommand\\fR"] if list(filter(shown, command.get("subcommands", []))) else [])


def discussion(command):
    """What a command's help says beyond its options, and its examples."""
    body, _, examples = command.get("discussion", "").partition("EXAMPLES\n")
    # The root's examples are followed by more text, which is not indented.
    after = "\n".join(line for line in examples.split("\n") if line.strip() and not line.startswith("  "))
    examples = "\n".join(line for line in examples.split("\n") if line.startswith("  "))
    return "\n\n".join(part.strip() for part in (body, after) if part.strip()), examples


def page(command, path, version, date):
    """The page of a command, `path` being its words from the program's name on."""
    name = "-".join(path)
    lines = [
        f'.TH "{escaped(name.upper())}" 1 "{date}" "earshot {version}" "Earshot"',
        ".nh", ".ad l",
        ".SH NAME", f"{escaped(name)} \\- {escaped(command.get('abstract', '').rstrip('.'))}",
        ".SH SYNOPSIS", f".B {escaped(' '.join(path))}", *synopsis(command),
    ]
    text, examples = discussion(command)
    if text:
        lines += [".SH DESCRIPTION", "\n.PP\n".join(escaped(part) for part in re.split(r"\n\n+", text))]
    arguments = list(filter(shown, command.get("arguments", [])))
    if arguments:
        lines.append(".SH OPTIONS")
    for argument in arguments:
        value = f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"
        if argument["kind"] == "positional":
            head = value
        else:
            head = f"\\fB{spelled(argument['names'])}\\fR" + (f" {value}" if argument["kind"] == "option" else "")
        told = " ".join(filter(None, (argument.get("abstract"), argument.get("discussion"))))
        default = argument.get("defaultValue")
        if default and "default" not in told:
            told += f" Default: {default}."
        lines += [".TP", head, escaped(told.strip()) or "\\&"]
    subcommands = list(filter(shown, command.get("subcommands", [])))
    if subcommands:
        lines.append(".SH COMMANDS")
    for sub in subcommands:
        lines += [".TP", f"\\fB{escaped('-'.join([*path, sub['commandName']]))}\\fR(1)", escaped(sub.get("abstract", ""))]
    if examples:
        lines += [".SH EXAMPLES", ".nf", escaped(examples), ".fi"]
    lines += [".SH SEE ALSO"]
    lines.append(f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)" if len(path) > 1 else "\\fBffmpeg\\fR(1)")
    return "\n".join(lines) + "\n"


def pages(program, version, date):
    """Each page by its file name."""
    told = json.loads(subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout)
    made = {}

    def visit(command, path):
        made["-".join(path) + ".1"] = page(command, path, version, date)
        for sub in filter(shown, command.get("subcommands", [])):
            if sub["commandName"] != "help":
                visit(sub, [*path, sub["commandName"]])

    visit(told["command"], [told["command"]["commandName"]])
    return made


def main():
    """scripts/lib/manual.py PROGRAM FOLDER: writes the pages, dated by SOURCE_DATE_EPOCH or today."""
    program, folder = sys.argv[1:]
    told = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())))
    os.makedirs(folder, exist_ok=True)
    for name, text in pages(program, re.search(r"\d+\.\d+\.\d+", told)[0], date).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
