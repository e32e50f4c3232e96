"""What a check needs besides Earshot: it is installed where it is missing, or named where that cannot be done."""
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

# One for each Python: compiled modules are of no use to another one.
MODULES = Path(__file__).resolve().parent.parent.parent / ".build" / "python-{}.{}".format(*sys.version_info)
NAME = os.path.basename(sys.argv[0]) or "python"


def stop(reason):
    sys.exit(f"{NAME}: {reason}")


def run(command):
    print(f"{NAME}: {' '.join(map(str, command))}", file=sys.stderr, flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 0


def apt_get(root, *arguments):
    """Runs apt-get, and waits while another program holds a lock, up to ten minutes."""
    command = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", *arguments]
    print(f"{NAME}: {' '.join(command)}", file=sys.stderr, flush=True)
    for attempt in range(200):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        held = re.search("Could not get lock.*|is another process using it|locked by another process", done.stderr)
        if done.returncode == 0 or not held:
            break
        if attempt == 0:
            print(f"{NAME}: another program is changing packages: waiting for it. {held.group()}", file=sys.stderr, flush=True)
        time.sleep(3)
    sys.stderr.write(done.stderr)
    return done.returncode == 0


def packages(*names):
    """Installs packages of Debian."""
    if not shutil.which("apt-get"):
        stop(f"install with the package manager of this system what Debian calls {', '.join(names)}.")
    root = []
    if os.geteuid():
        root = ["sudo"]
        if not shutil.which("sudo"):
            stop("as root run: apt-get install " + " ".join(names))
    install = ["install", "--yes", "--quiet", "--no-install-recommends", *names]
    # The lists may be missing or old.
    if not apt_get(root, *install) and not (apt_get(root, "update", "--quiet") and apt_get(root, *install)):
        stop(f"{' '.join(names)} could not be installed: see what apt-get says above.")


def programs(needed):
    """Programs by their names, each with the package of Debian that has it."""
    missing = {package for name, package in needed.items() if not shutil.which(name)}
    if missing:
        packages(*sorted(missing))


def files(needed):
    """Files by their paths, each with the package of Debian that has it."""
    missing = {package for path, package in needed.items() if not os.path.exists(path)}
    if missing:
        packages(*sorted(missing))


def modules(*names):
    """Modules of Python, for the checks of this project alone."""
    for name in names:
        folder = MODULES / name
        sys.path.append(str(folder))
        if importlib.util.find_spec(name):
            continue
        if importlib.util.find_spec("pip") is None:
            packages("python3-pip")
        if not run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), name]):
            stop(f"{name} could not be installed: see what pip says above.")
        importlib.invalidate_caches()


def environment(name):
    """Programs of a package of Python, apart from all others that this machine has: the folder of these programs."""
    folder = MODULES / f"{name}-environment"
    done = folder / "done"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if importlib.util.find_spec("ensurepip") is None:
            packages("python3-venv")
        if not (run([sys.executable, "-m", "venv", str(folder)]) and run([str(folder / "bin/pip"), "install", "--quiet", name])):
            stop(f"{name} could not be installed: see what is said above.")
        done.touch()
    return folder / "bin"
