"""PostgreSQL in a folder of its own, through scripts/lib/postgresql, with a synchronous standby where one is wanted."""
import os
import re
import shlex
import subprocess
import time
from pathlib import Path

from local_object_store import free_port

SCRIPT = Path(__file__).with_name("postgresql")


class Database:
    """A server for as long as it is needed, on loopback or on a machine of a check. It can be killed and started again."""

    def __init__(self, folder, machine=None):
        self.folder = Path(folder)
        self.host, self.within = (machine.address, machine.within) if machine else ("127.0.0.1", [])

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        script = (f"source {shlex.quote(str(SCRIPT))}; postgresql_start {shlex.quote(str(self.folder))} || {{ echo \"$postgresql_missing\"; exit 1; }}; "
                  "echo \"$postgresql_address\"; echo \"$postgresql_programs\"")
        done = subprocess.run([*self.within, "bash", "-c", script], capture_output=True, text=True, env={**os.environ, "POSTGRESQL_HOST": self.host})
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        self.address, self.programs = done.stdout.split()[-2:]
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        self.data = self.folder / "postgresql/data"
        if self.within:
            # Other machines, and a standby, which the rules of a new server do not admit.
            with open(self.data / "pg_hba.conf", "a") as rules:
                rules.write("host all all samenet trust\nhost replication all samenet trust\n")
            self.control("reload")
        return self

    def run(self, *command):
        """Runs a program of PostgreSQL as the user who may."""
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        return subprocess.run([*self.within, *user, *map(str, command)], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def control(self, *arguments):
        return self.run(f"{self.programs}/pg_ctl", f"--pgdata={self.data}", "--silent", *arguments)

    def kill(self):
        """Ends all of its processes at once, without a word to anybody."""
        self.control("--mode=immediate", "stop")

    def start(self):
        log = self.data.parent / "log"
        options = (f"-c listen_addresses={self.host} -c port={self.port} -c unix_socket_directories= -c fsync=off -c max_connections=300")
        if not self.control("--wait", f"--log={log}", f"--options={options}", "start"):
            raise SystemExit(f"PostgreSQL did not start: {log.read_text()[-2000:]}")

    def process(self):
        """The number of its first process."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def query(self, sql):
        """The output of `psql`, or what it says of a failure."""
        done = subprocess.run([f"{self.programs}/psql", "--no-psqlrc", "-At", "-c", sql, self.address], capture_output=True, text=True)
        return done.returncode == 0, (done.stdout if done.returncode == 0 else done.stderr).strip()

    def ask(self, sql):
        succeeded, output = self.query(sql)
        if not succeeded:
            raise SystemExit(output)
        return output

    def __exit__(self, *_):
        self.kill()


class Standby(Database):
    """A copy of a server, which follows it. From its start on the server waits with each commit until the copy has it."""

    def __init__(self, primary, folder, machine=None):
        super().__init__(folder, machine)
        self.primary = primary

    def __enter__(self):
        self.programs, self.port = self.primary.programs, free_port()
        self.data = self.folder / "postgresql/data"
        self.data.parent.mkdir(parents=True)
        if os.geteuid() == 0:
            self.folder.chmod(0o711)
            subprocess.run(["chown", "postgres", str(self.data.parent)], check=True)
        connection = f"host={self.primary.host} port={self.primary.port} user=earshot application_name=standby"
        if not self.run(f"{self.programs}/pg_basebackup", f"--pgdata={self.data}", f"--dbname={connection}", "--write-recovery-conf",
                        "--checkpoint=fast", "--no-sync"):
            raise SystemExit("pg_basebackup failed")
        self.start()
        self.address = f"postgresql://earshot@{self.host}:{self.port}/postgres?connect_timeout=10"
        # After the copy was made, so that it does not wait for itself once it is the first.
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.ask("SELECT pg_reload_conf()")
        end = time.time() + 20
        while self.primary.ask("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.time() > end:
                raise SystemExit("the standby does not follow")
            time.sleep(0.1)
        return self

    def promote(self):
        """Makes it the server to which is written."""
        if not self.control("--wait", "promote"):
            raise SystemExit("the standby was not promoted")
