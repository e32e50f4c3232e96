"""What the program tells of itself: its subcommands, the description of its service, and the settings as they are by default."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from local_service import Service


def describe(program, folder):
    """Writes `command.json`, `openapi.json` and `settings.json` into a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in list(os.environ):
        # Variables of whoever runs this would be shown as defaults.
        if name.startswith("EARSHOT_"):
            del os.environ[name]
    command = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as made:
        with Service(Path(made) / "data", program=program, environment={"HOME": made}, log_level=None) as service:
            answers = {"openapi": service.ask("GET", "/v1/openapi.json"),
                       "settings": service.ask("GET", "/v1/admin/settings", service.admin)}
            for name, (status, answer, _) in answers.items():
                if status != 200:
                    sys.exit(f"docs: the service answers {status} for its {name}: {answer}")
    (folder / "command.json").write_text(command)
    (folder / "openapi.json").write_text(json.dumps(answers["openapi"][1], indent=1, sort_keys=True))
    (folder / "settings.json").write_text(json.dumps(answers["settings"][1]["settings"], indent=1))


if __name__ == "__main__":
    describe(*sys.argv[1:])
