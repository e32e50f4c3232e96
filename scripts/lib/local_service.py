"""A service of its own for a check: on an empty folder, on a port of its own."""
import http.client
import json
import os
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EARSHOT = os.environ.get("EARSHOT", str(ROOT / ".build/release/earshot"))


class Address:
    """A host and a port where a service, or a balancer in front of several, is asked."""

    def __init__(self, host, port):
        self.host, self.port = host, port

    def ask(self, method, path, token=None, body=None, kind=None, timeout=60, headers=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        fields = dict(headers or {})
        if token:
            fields["Authorization"] = f"Bearer {token}"
        if isinstance(body, (dict, list)):
            body, kind = json.dumps(body).encode(), "application/json"
        if kind:
            fields["Content-Type"] = kind
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        try:
            data = json.loads(data)
        except ValueError:
            pass
        return answer.status, data, answer


class Service(Address):
    """A service on a folder, for as long as it is needed.

    `machine` is where it runs, this machine by default; `environment` is what it is told beyond the variables of the check;
    without `log_level` it logs as it does by default."""

    def __init__(self, folder, *options, settings=None, machine=None, environment=None, program=None, log_level="warning"):
        super().__init__(machine.address if machine else "127.0.0.1", 0)
        self.within = machine.within if machine else []
        self.folder, self.environment, self.program = Path(folder), environment or {}, program or EARSHOT
        self.options = [*(["--log-level", log_level] if log_level else []), *(str(option) for option in options)]
        if settings:
            path = self.folder.parent / f"{self.folder.name}.json"
            path.write_text(json.dumps(settings))
            self.options += ["--config", str(path)]
        self.process = None
        self.admin = None

    def start(self, port=0):
        if not Path(self.program).exists():
            raise SystemExit(f"{self.program} is not there: swift build -c release --product earshot")
        self.log = open(self.folder.parent / f"{self.folder.name}.log", "ab")
        self.process = subprocess.Popen(
            [*self.within, self.program, "serve", "--data", str(self.folder), "--host", self.host, "--port", str(port), *self.options],
            stdout=subprocess.PIPE, stderr=self.log, text=True,
            # However full the disk of the machine is.
            env={"EARSHOT_RESERVED_SPACE": "0", **os.environ, **self.environment})
        line = self.process.stdout.readline()
        if "://" not in line:
            raise SystemExit(f"the service did not start: {line}{open(self.log.name).read()[-2000:]}")
        self.base = line.split()[1]
        self.port = int(self.base.rsplit(":", 1)[1])
        # The token is in its file before the address is told.
        self.admin = self.admin or (self.folder / "operator-token").read_text().strip()
        return self

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        try:
            return self.process.wait(30)
        finally:
            self.log.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def client(self, **change):
        status, client, _ = self.ask("POST", "/v1/admin/clients", self.admin, {"name": "check", **change})
        assert status == 201, (status, client)
        return client

    def token(self, client=None, user=None):
        client = client or self.client()
        status, answer, _ = self.ask("POST", "/v1/tokens", None, {"client": client["identifier"], **({"user": user} if user else {})})
        assert status == 200, (status, answer)
        return answer["token"]

    def rss(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu(self):
        """Seconds of the processor's time, of the service and the decoders that it has ended."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return sum(int(f) for f in fields[11:15]) / os.sysconf("SC_CLK_TCK")
