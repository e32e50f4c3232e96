"""PostgreSQL on loopback, in a folder of its own, through scripts/lib/postgresql."""
import os
import re
import shlex
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).with_name("postgresql")


class Database:
    """A server for as long as it is needed. It can be killed and started again."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        script = (f"source {shlex.quote(str(SCRIPT))}; postgresql_start {shlex.quote(str(self.folder))} || {{ echo \"$postgresql_missing\"; exit 1; }}; "
                  "echo \"$postgresql_address\"; echo \"$postgresql_programs\"")
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        self.address, self.programs = done.stdout.split()[-2:]
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        self.data = self.folder / "postgresql/data"
        return self

    def control(self, *arguments):
        command = [f"{self.programs}/pg_ctl", f"--pgdata={self.data}", "--silent", *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        return subprocess.run(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def kill(self):
        """Ends all of its processes at once, without a word to anybody."""
        self.control("--mode=immediate", "stop")

    def start(self):
        log = self.folder / "postgresql/log"
        options = (f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories= -c fsync=off -c max_connections=300")
        if not self.control("--wait", f"--log={log}", f"--options={options}", "start"):
            raise SystemExit(f"PostgreSQL did not start again: {log.read_text()[-2000:]}")

    def ask(self, sql):
        done = subprocess.run([f"{self.programs}/psql", "--no-psqlrc", "-At", "-c", sql, self.address], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout.strip()

    def __exit__(self, *_):
        self.kill()
