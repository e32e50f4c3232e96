"""HAProxy in front of nodes, by the configuration that operators copy."""
import re
import socket
import subprocess
import time
from pathlib import Path

import needed
from local_object_store import free_port
from local_service import ROOT, Address

CONFIGURATION = ROOT / "Examples/Cluster/haproxy.cfg"


class Balancer(Address):
    """Runs HAProxy with the nodes in the place of those that the configuration names."""

    def __init__(self, folder, nodes, machine=None):
        super().__init__(machine.address if machine else "127.0.0.1", free_port())
        self.folder, self.nodes, self.within = Path(folder), nodes, machine.within if machine else []

    def __enter__(self):
        needed.programs({"haproxy": "haproxy"})
        self.folder.mkdir(parents=True)
        self.file = self.folder / "haproxy.cfg"
        self.write()
        self.log = open(self.folder / "log", "ab")
        self.process = None
        self.run()
        return self

    def write(self):
        """The configuration of the example, with addresses of this machine: of its lines of servers as many as there are nodes."""
        text = []
        for line in CONFIGURATION.read_text().splitlines():
            server = re.match(r"(\s+server node-)(\d+) \S+(.*)", line)
            if server:
                # As many as there are, by the example of the first.
                if server[2] != "1":
                    continue
                for number, node in enumerate(self.nodes, 1):
                    backup = " backup" if "backend folder" in "".join(text[-12:]) and number > 1 else ""
                    text.append(f"{server[1]}{number} {node.host}:{node.port}{server[3]}{backup}")
                continue
            line = re.sub(r"bind \S+", f"bind {self.host}:{self.port}", line) if re.match(r"\s+bind ", line) else line
            text.append(re.sub(r"stats socket \S+", f"stats socket {self.folder / 'haproxy.sock'}", line))
        self.file.write_text("\n".join(text) + "\n")

    def run(self):
        checked = subprocess.run([*self.within, "haproxy", "-c", "-q", "-f", str(self.file)], capture_output=True, text=True)
        if checked.returncode:
            raise SystemExit(f"HAProxy does not take its configuration: {checked.stderr}")
        self.process = subprocess.Popen([*self.within, "haproxy", "-db", "-f", str(self.file)], stdout=self.log, stderr=self.log)
        end = time.time() + 10
        while True:
            try:
                socket.create_connection((self.host, self.port), 1).close()
                return
            except OSError:
                if time.time() > end:
                    raise SystemExit("HAProxy did not start: " + (self.folder / "log").read_text()[-2000:])
                time.sleep(0.05)

    def command(self, text):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.folder / "haproxy.sock"))
            line.sendall(f"{text}\n".encode())
            return b"".join(iter(lambda: line.recv(65536), b"")).decode()

    def set(self, number, state):
        """Gives a node no new requests (`drain`), or requests again (`ready`)."""
        for backend in ("recognitions", "nodes", "uploads", "folder"):
            self.command(f"set server {backend}/node-{number} state {state}")

    def reload(self):
        """Takes the nodes as they are now, and lets requests that are under way end."""
        self.write()
        old = self.process
        # The new process takes the listener of the old one, so that nobody is refused.
        self.process = subprocess.Popen([*self.within, "haproxy", "-db", "-f", str(self.file), "-sf", str(old.pid), "-x", str(self.folder / "haproxy.sock")],
                                        stdout=self.log, stderr=self.log)
        old.wait(60)

    def state(self):
        """The nodes by name with the state that HAProxy has of them, such as `UP`, and the requests that each was sent."""
        rows = [row.split(",") for row in self.command("show stat").lstrip("# ").splitlines() if row]
        names = rows[0]
        rows = [dict(zip(names, row)) for row in rows[1:]]
        return {r["svname"]: (r["status"], int(r["stot"] or 0)) for r in rows if r["pxname"] == "recognitions" and r["svname"].startswith("node-")}

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.log.close()
