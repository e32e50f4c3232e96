"""Nodes of a service with what they share, and what they are asked."""
import http.client
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
import wave
from pathlib import Path

import needed
from cluster.balancer import Balancer
from cluster.network import Network
from local_object_store import ObjectStore
from local_postgresql import Database, Standby
from local_service import EARSHOT, Service

SIGNATURE = "application/vnd.earshot.signature"
FAILURES = []


def check(sentence, holds):
    print(f"  {'ok' if holds else 'FAILED'}: {sentence}", flush=True)
    if not holds:
        FAILURES.append(sentence)


class Songs:
    """Made-up recordings as signatures: each whole, and a piece of 8 s in its middle."""
    rate = 16_000

    def __init__(self, folder, count):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.whole, self.query = [], []
        for number in range(count):
            path = self.write(self.samples(number))
            self.whole.append(self.signature(path))
            self.query.append(self.signature(path, "--from", "6", "--to", "14"))
        print(f"  {count} recordings", flush=True)

    @classmethod
    def samples(cls, number):
        """The samples of a recording, which has the same ones each time."""
        import numpy
        rng = numpy.random.default_rng(number)
        samples = numpy.zeros(cls.rate * 20)
        begin = 0
        while begin < len(samples):
            length = int(cls.rate * rng.uniform(0.12, 0.4))
            time_line = numpy.arange(min(length, len(samples) - begin)) / cls.rate
            fade = numpy.exp(-4 * time_line)
            for _ in range(3):
                samples[begin:begin + len(time_line)] += fade * numpy.sin(2 * numpy.pi * rng.uniform(150, 4_000) * time_line)
            begin += length
        return samples

    def write(self, samples):
        """The samples as a file, which the next one takes the place of."""
        path = self.folder / "song.wav"
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes((samples / 4 * 32_767).clip(-32_768, 32_767).astype("<i2").tobytes())
        return path

    def signature(self, path, *options):
        target = self.folder / "song.earsig"
        subprocess.run([EARSHOT, "signature", str(path), *options, "-o", str(target), "--replace"], check=True, stdout=subprocess.DEVNULL)
        return target.read_bytes()


class Cluster:
    """Nodes on one PostgreSQL and one bucket.

    On loopback, or with `apart` each part on a machine of its own, for `lenient` where that can be; with `standby` the database has a synchronous one; with `balanced`
    HAProxy stands in front of the nodes, as `Examples/Cluster/haproxy.cfg` says; with `searching` nodes have addresses for each other, and search
    the catalog together once its number of copies is set."""

    def __init__(self, folder, count=3, apart=False, standby=False, balanced=False, program=None, settings=None, lenient=False, searching=False):
        self.folder, self.count, self.program, self.lenient = Path(folder), count, program, lenient
        self.with_standby, self.balanced, self.settings = standby, balanced, settings or {}
        self.searching = searching
        self.network = Network(separate=apart)
        self.apart = apart
        self.parts = []
        self.nodes = []
        # The reasons why recognitions were refused.
        self.refusals = []
        self.standby = self.balancer = None

    def enter(self, part):
        part.__enter__()
        self.parts.append(part)
        return part

    def __enter__(self):
        try:
            return self.begin()
        except BaseException:
            self.__exit__()
            raise

    def begin(self):
        needed.modules("boto3")
        import boto3
        from botocore.client import Config
        self.enter(self.network)
        if self.apart and self.network.reason and not self.lenient:
            raise SystemExit(f"the machines of this check are network namespaces: {self.network.reason}")
        self.database_machine = self.network.machine("database")
        self.database = self.enter(Database(self.folder / "database", self.database_machine))
        hosts = f"{self.database.host}:{self.database.port}"
        if self.with_standby:
            self.standby = self.enter(Standby(self.database, self.folder / "standby", self.network.machine("standby")))
            hosts += f",{self.standby.host}:{self.standby.port}"
        self.store_machine = self.network.machine("bucket")
        self.objects = self.enter(ObjectStore(self.folder / "objects", needed.environment("swift"), self.store_machine))
        self.bucket = boto3.client("s3", endpoint_url=self.objects.base, aws_access_key_id=self.objects.access, aws_secret_access_key=self.objects.secret,
                                   region_name="us-east-1", config=Config(s3={"addressing_style": "path"}))
        self.bucket.create_bucket(Bucket="nodes")
        self.environment = {"AWS_ACCESS_KEY_ID": self.objects.access, "AWS_SECRET_ACCESS_KEY": self.objects.secret,
                            "EARSHOT_BUCKET": f"{self.objects.base}/nodes", "EARSHOT_PAGES": "off", **self.settings}
        balancer = self.network.machine("balancer") if self.balanced else None
        if balancer:
            self.environment["EARSHOT_TRUSTED_PROXIES"] = f"{balancer.address}/32"
        self.use(f"postgresql://earshot@{hosts}/postgres")
        for _ in range(self.count):
            self.add_node()
        if self.balanced:
            self.balancer = self.enter(Balancer(self.folder / "haproxy", self.nodes, balancer))
        self.client = self.nodes[0].client(rights=["references"])
        self.token = self.nodes[0].token(self.client)
        return self

    def use(self, address):
        """The database that nodes are told of from now on."""
        self.environment["EARSHOT_DATABASE"] = address
        for node in self.nodes:
            node.environment["EARSHOT_DATABASE"] = address

    def add_node(self, start=True, room=None):
        """Adds a node; with `room` it searches for others, and keeps so many bytes of segments."""
        number = len(self.nodes) + 1
        machine = self.network.machine(f"node-{number}")
        environment = dict(self.environment)
        if self.searching or room:
            environment |= {"EARSHOT_CLUSTER_ADDRESS": f"{machine.address}:0", "EARSHOT_CACHE_BYTES": str(room or 1 << 30)}
        node = Service(self.folder / f"node-{number}", machine=machine, environment=environment, program=self.program)
        node.machine = machine
        self.nodes.append(node)
        # The token is in the file of the node that made it.
        node.admin = self.nodes[0].admin if number > 1 else None
        if start:
            node.start()
        return node

    def restart(self, node, how=signal.SIGTERM):
        """Ends a node and starts it where it was."""
        node.stop(how)
        node.start(node.port)
        self.until_ready(node)

    def until_ready(self, node, seconds=30):
        end = time.time() + seconds
        while self.ask(node, "GET", "/ready") != (200, {"status": "ready"}):
            if time.time() > end:
                return False
            time.sleep(0.05)
        return True

    def __exit__(self, *_):
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                try:
                    node.stop(signal.SIGKILL)
                except Exception:
                    pass
        # Of those that fail, the others are still ended.
        for part in reversed(self.parts):
            try:
                part.__exit__()
            except Exception as error:
                print(f"  {type(part).__name__}: {error}", flush=True)

    def command(self, *arguments, environment=None):
        """Runs `earshot` where the first node is."""
        return subprocess.run([*self.nodes[0].within, self.program or EARSHOT, *arguments], capture_output=True, text=True,
                              env={**os.environ, **self.environment, **(environment or {})})

    def copies(self, number):
        """Sets how many nodes hold each segment, and keeps small segments from being merged: parts of a catalog need several."""
        self.database.ask("INSERT INTO lease (name, holder, fence, until) VALUES ('merge/catalog', 'check', 1, now() + interval '1 day') "
                          "ON CONFLICT (name) DO UPDATE SET holder = 'check', until = now() + interval '1 day'")
        done = self.command("cluster", "copies", "catalog", str(number))
        if done.returncode:
            raise SystemExit(f"earshot cluster copies: {done.stderr}")

    def figures(self, node):
        """The numbers of a node's /metrics, by names with their labels."""
        status, text, _ = node.ask("GET", "/metrics")
        text = text.decode() if isinstance(text, bytes) else str(text)
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, value in lines} if status == 200 else {}

    def until_placed(self, nodes, seconds=60):
        """Waits until each node knows of all, and has what is placed on it."""
        # Each says every five seconds that it lives, and looks then who does.
        time.sleep(11)
        end = time.time() + seconds
        while any(self.figures(node).get("earshot_catalog_segments_missing") != 0 for node in nodes):
            if time.time() > end:
                return False
            time.sleep(0.2)
        return True

    def ask(self, node, method, path, body=None, kind=None, timeout=20):
        """The answer of a node; `None` where the line broke."""
        try:
            status, data, _ = node.ask(method, path, self.token, body, kind, timeout=timeout)
            return status, data
        except (OSError, http.client.HTTPException):
            return None

    def add(self, node, name, signature):
        return self.ask(node, "POST", f"/v1/references?id={name}", signature, SIGNATURE)

    def find(self, node, query, timeout=20):
        """`(name,)` of what was found, `()` for nothing, "refused" with a status, or `None` where the line broke."""
        answer = self.ask(node, "POST", "/v1/recognitions", query, SIGNATURE, timeout)
        if answer is None:
            return None
        if answer[0] != 200:
            self.refusals.append(f"{answer[0]} {str(answer[1])[:160]}")
            return "refused"
        matches = answer[1]["matches"]
        return (matches[0].get("reference") or matches[0].get("placement", {}).get("reference") or matches[0],) if matches else ()


def settled(cluster, nodes, songs, expected, seconds=15):
    """Waits until each node finds what is expected: `{number: name or None}`. Returns what is wrong in the end."""
    end = time.time() + seconds
    while True:
        wrong = []
        for index, node in enumerate(nodes):
            for number, name in expected.items():
                found = cluster.find(node, songs.query[number])
                if found in (None, "refused") or (found[0] if found else None) != name:
                    wrong.append((index, number, found))
        if not wrong or time.time() > end:
            return wrong
        time.sleep(0.2)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


class Load:
    """Threads that ask for songs that are there, without an end. Each answer is kept with its time, and with the phase it was asked in."""

    def __init__(self, cluster, songs, numbers, targets, threads=3, timeout=20, pause=0.02):
        self.cluster, self.songs, self.numbers, self.targets = cluster, songs, list(numbers), targets
        self.timeout, self.pause = timeout, pause
        self.answers, self.lock, self.stop_event = [], threading.Lock(), threading.Event()
        self.phase = ""
        self.threads = [threading.Thread(target=self.run, args=(seed,), daemon=True) for seed in range(threads)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop_event.set()
        for thread in self.threads:
            thread.join()

    def run(self, seed):
        rng = random.Random(seed)
        while not self.stop_event.is_set():
            number, phase, begin = rng.choice(self.numbers), self.phase, time.time()
            target = rng.choice(self.targets)
            found = self.cluster.find(target, self.songs.query[number], self.timeout)
            if found is None:
                outcome = "broken"
            elif found == "refused":
                outcome = "refused"
            else:
                outcome = "right" if found == (f"song-{number}",) else "nothing" if not found else "wrong"
            retried = outcome
            if outcome in ("broken", "refused"):
                # As a client does: once more, after a moment.
                time.sleep(0.3)
                again = self.cluster.find(rng.choice(self.targets), self.songs.query[number], self.timeout)
                retried = "right" if again == (f"song-{number}",) else "refused"
            with self.lock:
                self.answers.append((phase, begin, time.time() - begin, outcome, retried))
            time.sleep(self.pause)

    def told(self, *phases):
        """What came of the questions of some phases, or of all."""
        with self.lock:
            answers = [a for a in self.answers if not phases or a[0] in phases]
        told = {"queries": len(answers)}
        for outcome in ("right", "refused", "broken", "wrong", "nothing"):
            told[outcome] = sum(1 for a in answers if a[3] == outcome)
        told["failed after a retry"] = sum(1 for a in answers if a[4] not in ("right",))
        times = [a[2] for a in answers if a[3] == "right"]
        told["median"], told["p99"], told["longest"] = (round(percentile(times, s), 3) for s in (0.5, 0.99, 1))
        return told

    def reasons(self):
        """The reasons of refusals, as a sentence for a check that failed."""
        return "; ".join(sorted(set(re.sub(r", .requestID.*", "", r) for r in self.cluster.refusals)))


def say(name, told):
    print(f"  {name}: " + ", ".join(f"{value} {key}" if isinstance(value, int) else f"{key} {value} s" for key, value in told.items()), flush=True)


def fill(cluster, songs, numbers, nodes=None):
    """Adds songs by turns to the nodes, and says whether all were taken."""
    nodes = nodes or cluster.nodes
    answers = [cluster.add(nodes[n % len(nodes)], f"song-{n}", songs.whole[n]) for n in numbers]
    taken = all(a and a[0] in (200, 201) for a in answers)
    if not taken:
        check(f"songs are added: {[a for a in answers if not a or a[0] not in (200, 201)][:2]}", False)
    return taken
