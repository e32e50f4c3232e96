"""What the scripts of this folder share: a store of references that are named by the paths of their files."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EARSHOT = os.environ.get("EARSHOT", "earshot")
if not shutil.which(EARSHOT):
    sys.exit(f"There is no program {EARSHOT}: put it into PATH, or name it in the variable EARSHOT.")


def store_path(name):
    """The store for the name of a database; a name that says its form stays as it is."""
    return name if name.endswith((".earstore", ".earcat")) else name + ".earstore"


def run(*arguments):
    """Runs a command, and ends with its exit status if it fails."""
    status = subprocess.run([EARSHOT, *arguments]).returncode
    if status:
        sys.exit(status)


def audio_files(paths, lists=False):
    """The files that paths name. With `lists` each path is a text file with a path a line."""
    if lists:
        paths = [line for path in paths for line in pathlib.Path(path).read_text().splitlines() if line]
    return [os.path.abspath(path) for path in paths]


def add(store, files, jobs=None):
    """Adds files to a store, which is made if it is not there. A reference is named by the path of its file."""
    with tempfile.TemporaryDirectory() as folder:
        listed = pathlib.Path(folder, "files.txt")
        listed.write_text("".join(f"{file}\n" for file in files))
        is_new = not os.path.exists(store)
        target = store if is_new else os.path.join(folder, "new.earcat")
        run("catalog", "create", "--list", str(listed), "-o", target, *(["--jobs", str(jobs)] if jobs else []))
        if not is_new:
            run("catalog", "import", target, store)


def references(store):
    """The names of the references in a store, as paths."""
    output = subprocess.run([EARSHOT, "catalog", "list", store, "--jsonl"], stdout=subprocess.PIPE, check=True).stdout
    return {"/" + json.loads(line)["id"] for line in output.splitlines()}


def identify(store, clips, jobs=None):
    """Looks for clips in a store, and gives for each its record: `clip`, `duration` and `matches`, or `error`."""
    options = ["--jobs", str(jobs)] if jobs else []
    command = [EARSHOT, "identify", *clips, "--catalog", store, "--all", "--jsonl", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            record = json.loads(line)
            for match in record.get("matches", []):
                match["id"] = "/" + match["id"]
            yield record
    if process.returncode not in (0, 3):  # 3: nothing matched, which is an answer.
        sys.exit(process.returncode)
