"""OpenStack Swift with its S3 interface, in a folder of its own: the object store that the checks of S3 use."""
import os
import signal
import socket
import subprocess
import time
from pathlib import Path


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class ObjectStore:
    """Runs proxy, account, container and object server, each as one process, without replicas, on loopback or on a machine of a check."""

    access, secret = "test:tester", "testing"

    def __init__(self, folder, programs, machine=None):
        self.folder, self.programs = Path(folder), Path(programs)
        self.host, self.within = (machine.address, machine.within) if machine else ("127.0.0.1", [])
        self.processes = []

    def __enter__(self):
        ports = {name: free_port() for name in ("account", "container", "object", "proxy")}
        etc, devices = self.folder / "etc", self.folder / "devices"
        (devices / "d1").mkdir(parents=True)
        etc.mkdir()
        (etc / "swift.conf").write_text("[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n\n"
                                        "[storage-policy:0]\nname = one\ndefault = yes\n")
        environment = {**os.environ, "SWIFT_CONF_DIR": str(etc), "PATH": f"{self.programs}:{os.environ['PATH']}"}
        for name in ("account", "container", "object"):
            builder = etc / f"{name}.builder"
            for arguments in (["create", "6", "1", "0"], ["add", f"r1z1-{self.host}:{ports[name]}/d1", "1"], ["rebalance"]):
                subprocess.run([str(self.programs / "swift-ring-builder"), str(builder), *arguments], env=environment,
                               stdout=subprocess.DEVNULL, check=True)
            (etc / f"{name}.conf").write_text(
                f"[DEFAULT]\nbind_ip = {self.host}\nbind_port = {ports[name]}\nworkers = 0\nswift_dir = {etc}\ndevices = {devices}\n"
                f"mount_check = false\nuser = {os.environ.get('USER', 'root')}\nlog_address = {self.folder}/nolog\n\n[pipeline:main]\npipeline = {name}-server\n\n"
                f"[app:{name}-server]\nuse = egg:swift#{name}\n")
        (etc / "proxy.conf").write_text(
            f"[DEFAULT]\nbind_ip = {self.host}\nbind_port = {ports['proxy']}\nworkers = 0\nswift_dir = {etc}\n"
            f"user = {os.environ.get('USER', 'root')}\nlog_address = {self.folder}/nolog\n\n"
            "[pipeline:main]\npipeline = catch_errors cache listing_formats s3api tempauth copy slo dlo proxy-server\n\n"
            "[filter:catch_errors]\nuse = egg:swift#catch_errors\n\n[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1\n\n"
            "[filter:listing_formats]\nuse = egg:swift#listing_formats\n\n"
            "[filter:s3api]\nuse = egg:swift#s3api\ns3_acl = no\nlocation = us-east-1\ncheck_bucket_owner = no\n\n"
            "[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = testing .admin\n\n"
            "[filter:copy]\nuse = egg:swift#copy\n\n[filter:slo]\nuse = egg:swift#slo\n\n[filter:dlo]\nuse = egg:swift#dlo\n\n"
            "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n")
        self.processes = [self.server(name) for name in ("account", "container", "object", "proxy")]
        self.base = f"http://{self.host}:{ports['proxy']}"
        for port in ports.values():
            end = time.time() + 30
            while True:
                try:
                    socket.create_connection((self.host, port), 1).close()
                    break
                except OSError:
                    if time.time() > end:
                        raise SystemExit("the object store did not start:\n" + (self.folder / "log").read_text()[-3000:])
                    time.sleep(0.1)
        return self

    def server(self, name):
        environment = {**os.environ, "SWIFT_CONF_DIR": str(self.folder / "etc")}
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen([*self.within, str(self.programs / f"swift-{name}-server"), str(self.folder / f"etc/{name}.conf"), "verbose"],
                                    env=environment, stdout=log, stderr=log)

    def kill(self):
        """Takes the store away: who connects is refused, or hears nothing."""
        for process in self.processes:
            process.send_signal(signal.SIGSTOP)
        self.processes[-1].kill()
        self.processes[-1].wait()

    def start(self):
        """Brings it back, with what it had."""
        for process in self.processes[:-1]:
            process.send_signal(signal.SIGCONT)
        self.processes[-1] = self.server("proxy")

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            # One that a check has stopped does not end before it goes on.
            process.send_signal(signal.SIGCONT)
        for process in self.processes:
            process.wait(10)
