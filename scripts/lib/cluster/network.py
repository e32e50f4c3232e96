"""Machines of a check: network namespaces on one bridge, whose lines can be cut. Without root, all of them are this machine."""
import os
import random
import shutil
import subprocess

# Nobody has this address: what is sent to it is lost without a word, as on a line that was cut.
NOBODY = "02:00:00:00:00:fe"


def ip(*arguments, within=None):
    command = ["ip", *(["-n", within] if within else []), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


class Machine:
    """Where a program runs: its address, and the command that runs something there."""

    def __init__(self, name, address="127.0.0.1", namespace=None, line=None):
        self.name, self.address, self.namespace, self.line = name, address, namespace, line
        self.within = ["ip", "netns", "exec", namespace] if namespace else []


class Network:
    """A bridge with machines, for as long as it is needed."""

    def __init__(self, separate=True):
        self.machines = []
        self.reason = None
        if not separate:
            self.reason = "it was not asked for"
        elif not shutil.which("ip"):
            self.reason = "the program ip is not there (Debian: iproute2)"
        elif os.geteuid():
            self.reason = "network namespaces need root"
        self.bridge = None

    def __enter__(self):
        if self.reason is None:
            self.tag = f"es{random.randrange(16 ** 5):05x}"
            try:
                # Of the block for tests of networks (RFC 2544); one that nothing here uses.
                used = ip("-4", "-o", "address")
                self.prefix = next(p for p in (f"198.18.{n}." for n in random.sample(range(1, 250), 200)) if p not in used)
                ip("link", "add", self.tag, "type", "bridge")
                self.bridge = self.tag
                ip("address", "add", f"{self.prefix}1/24", "dev", self.bridge)
                ip("link", "set", self.bridge, "up")
            except OSError as error:
                self.close()
                self.reason = str(error)
        return self

    def machine(self, name):
        if self.bridge is None:
            machine = Machine(name)
        else:
            number = len(self.machines) + 2
            namespace, line = f"{self.tag}-{name}", f"{self.tag}v{number}"
            machine = Machine(name, f"{self.prefix}{number}", namespace, line)
            # Before anything can fail: what is in the list is removed at the end.
            self.machines.append(machine)
            ip("netns", "add", namespace)
            ip("link", "add", line, "type", "veth", "peer", "name", "eth0", "netns", namespace)
            ip("link", "set", line, "master", self.bridge, "up")
            ip("address", "add", f"{machine.address}/24", "dev", "eth0", within=namespace)
            ip("link", "set", "lo", "up", within=namespace)
            ip("link", "set", "eth0", "up", within=namespace)
            return machine
        self.machines.append(machine)
        return machine

    def cut(self, one, other):
        """Lets nothing through between two machines, and says so to neither."""
        for here, there in ((one, other), (other, one)):
            ip("neighbor", "replace", there.address, "lladdr", NOBODY, "dev", "eth0", "nud", "permanent", within=here.namespace)

    def join(self, one, other):
        for here, there in ((one, other), (other, one)):
            ip("neighbor", "del", there.address, "dev", "eth0", within=here.namespace)

    def close(self):
        for machine in self.machines:
            if machine.namespace:
                # The line goes with the namespace, but only after the last of its processes is gone.
                subprocess.run(["ip", "link", "delete", machine.line], stderr=subprocess.DEVNULL)
                subprocess.run(["ip", "netns", "delete", machine.namespace], stderr=subprocess.DEVNULL)
        self.machines = []
        if self.bridge:
            subprocess.run(["ip", "link", "delete", self.bridge], stderr=subprocess.DEVNULL)
            self.bridge = None

    def __exit__(self, *_):
        self.close()
