"""Folders of monitors for the stories of stations: recordings that were heard, and streams that go on."""
import datetime
import http.server
import json
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

from .stories import EARSHOT, MUSIC, ROOT, run

UNKNOWN = ROOT / "Samples/Unknown/geoscape-theme-1.ogg"
#: Markup in a title stays text.
EVIL = "<b>bold</b> & '<script>alert(1)</script>'"
#: When the recordings began: yesterday, so that a day is over, and none begins in the middle.
BEGAN = datetime.datetime.now(datetime.timezone.utc).replace(hour=18, minute=30, second=0, microsecond=0) - datetime.timedelta(days=1)
DAY = BEGAN.strftime("%Y-%m-%d")


def stamp(date):
    return date.strftime("%Y-%m-%dT%H:%M:%SZ")


def program(output, *parts):
    """Makes a recording of songs, parts of songs as (file, begin, length), and seconds of silence."""
    inputs, filters = [], []
    for number, part in enumerate(parts):
        if isinstance(part, (int, float)):
            inputs += ["-f", "lavfi", "-t", str(part), "-i", "anullsrc=r=44100:cl=mono"]
        elif isinstance(part, tuple):
            inputs += ["-ss", str(part[1]), "-t", str(part[2]), "-i", str(part[0])]
        else:
            inputs += ["-i", str(part)]
        filters.append(f"[{number}:a]aformat=sample_rates=44100:channel_layouts=mono[a{number}]")
    joined = "".join(f"[a{number}]" for number in range(len(parts)))
    run("ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", f"{';'.join(filters)};{joined}concat=n={len(parts)}:v=0:a=1", output)


def catalog(folder, name, rows):
    (folder / f"{name}.csv").write_text("file,title,artist,kind\n" + "".join(",".join(row) + "\n" for row in rows))
    run(EARSHOT, "catalog", "create", *[MUSIC / row[0] for row in rows], "--items", folder / f"{name}.csv", "-o", folder / f"{name}.earcat")


class Recorded:
    """Three stations that were heard yesterday evening: songs, spots, a programme, a break, and audio that repeats and nobody knows."""

    def __init__(self, stage):
        self.folder = stage.folder / "recorded"
        self.folder.mkdir()
        self.guide(stage)
        catalog(self.folder, "music", [
            ("win-game.ogg", "Win Game", "Christian Hoffmann", "song"), ("snodom.ogg", '"' + EVIL + '"', "<i>Jordan</i>", "song"),
            ("warm-ink.ogg", "Evening Talk", "", "programme")])
        catalog(self.folder, "spots", [("main-screen.ogg", "Main Screen", "Sindre Froyn", "advertisement")])
        songs = {name: MUSIC / f"{name}.ogg" for name in ("win-game", "snodom", "warm-ink", "main-screen", "cold-day")}
        unknown = [(UNKNOWN, 5, 12), (songs["cold-day"], 10, 13), (songs["main-screen"], 12, 12), (UNKNOWN, 40, 12)]
        first = [part for audio in unknown for part in (audio, 6)]
        # In another order, or all of them would be one that repeats.
        second = [part for audio in reversed(unknown) for part in (audio, 9)]
        program(self.folder / "harbour.flac", songs["win-game"], 5, *first, songs["snodom"], 600, *second, songs["win-game"], 90)
        program(self.folder / "tv.flac", songs["main-screen"], 90, songs["main-screen"], 20)
        program(self.folder / "studio.flac", 60, songs["warm-ink"], songs["win-game"], 15)
        begin = stamp(BEGAN)
        (self.folder / "stations.json").write_text(json.dumps({
            "catalog": "music.earcat", "playlog": "plays.sqlite", "state": "state", "data": "data", "timeZone": "UTC",
            "stations": [
                {"id": "harbour", "name": "Harbour FM", "file": "harbour.flac", "since": begin, "repeats": True},
                {"id": "tv", "name": "Channel Seven", "file": "tv.flac", "since": begin, "catalog": "spots.earcat", "spots": True, "timeZone": "Europe/Vienna"},
                {"id": "studio", "name": "<em>Studio</em>", "file": "studio.flac", "since": begin, "guide": "studio.example"}]}))
        self.monitor()
        self.add_break()

    def monitor(self):
        """Follows the recordings, which is over in seconds."""
        run(EARSHOT, "monitor", "run", self.folder / "stations.json", "--jsonl")

    def add_break(self):
        """A break of the network, which recordings do not have."""
        start, end = (BEGAN + datetime.timedelta(seconds=s) for s in (100, 130))
        gap = {"channel": {"id": "tv", "name": "Channel Seven"}, "end": stamp(end)[:-1] + ".000Z", "id": "gap-story", "reason": "streamLost",
               "start": stamp(start)[:-1] + ".000Z"}
        log = sqlite3.connect(self.folder / "plays.sqlite")
        with log:
            log.execute("INSERT INTO gap (id, channel, start, ended, json) VALUES (?, ?, ?, ?, ?)",
                        ("gap-story", "tv", int(start.timestamp() * 1000), int(end.timestamp() * 1000), json.dumps(gap)))
        log.close()

    @staticmethod
    def guide(stage):
        """A guide of two days, a program an hour, in the guide of the service."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?><tv>']
        first = BEGAN.replace(minute=0)
        for channel, shift in (("harbour", 0), ("tv", 0), ("studio.example", 31.5)):
            lines.append(f'<channel id="{channel}"><display-name>{channel}</display-name></channel>')
            for hour in range(48):
                begin = first + datetime.timedelta(hours=hour, minutes=shift)
                title = "Evening Talk" if hour == 0 and shift else f"Program {hour} &lt;b&gt;"
                lines.append(f'<programme channel="{channel}" start="{begin:%Y%m%d%H%M%S} +0000" stop="{begin + datetime.timedelta(hours=1):%Y%m%d%H%M%S} +0000">'
                             f"<title>{title}</title></programme>")
        lines.append("</tv>")
        path = stage.folder / "guide.xml"
        path.write_text("\n".join(lines))
        run(EARSHOT, "epg", "import", path, "--guide", stage.data / "guide.sqlite")


class Receiver:
    """A receiver of webhooks that answers what it is told to."""

    def __init__(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests += 1
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.status, self.requests = 410, 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/plays?key=secret"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Hooked:
    """A station that is heard as if it were live, with a receiver of its changes; the monitor runs until it is ended."""

    def __init__(self, stage, receiver):
        self.folder = stage.folder / f"hooked-{time.time_ns()}"
        self.folder.mkdir()
        catalog(self.folder, "music", [("win-game.ogg", "Win Game", "Christian Hoffmann", "song")])
        program(self.folder / "tape.flac", MUSIC / "win-game.ogg", 60)
        (self.folder / "shop.secret").write_text("a secret of thirty-two characters")
        (self.folder / "stations.json").write_text(json.dumps({
            "catalog": "music.earcat", "playlog": "plays.sqlite", "state": "state", "data": "data", "timeZone": "UTC",
            "stations": [{"id": "tape", "name": "Tape", "file": "tape.flac"}],
            "webhooks": [{"name": "shop <b>", "url": receiver.address, "secretFile": "shop.secret"}]}))
        self.process = subprocess.Popen([EARSHOT, "monitor", "run", str(self.folder / "stations.json"), "--jsonl"], stdout=subprocess.DEVNULL,
                                        stderr=open(self.folder / "errors", "wb"))

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Live:
    """`Examples/ThreeStations/live`, as a newcomer starts it."""

    def __init__(self, stage):
        self.folder = stage.folder / f"live-{time.time_ns()}"
        port = self.free_ports()
        self.output = open(stage.folder / "live.log", "wb")
        # A group of its own: the script ends with all that it has started.
        self.process = subprocess.Popen([str(ROOT / "Examples/ThreeStations/live"), str(self.folder), str(port)], stdout=self.output, stderr=self.output,
                                        env={**os.environ, "EARSHOT": str(EARSHOT), "EARSHOT_RESERVED_SPACE": "0"}, start_new_session=True)
        self.base = f"http://127.0.0.1:{port}"
        token = self.folder / "data/operator-token"
        end = time.time() + 90
        while not token.exists() or not self.answers(port):
            assert self.process.poll() is None and time.time() < end, open(self.output.name).read()[-2000:]
            time.sleep(0.2)
        self.admin = token.read_text().strip()

    @staticmethod
    def answers(port):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    @staticmethod
    def free_ports():
        """A port with three free ones behind it."""
        while True:
            with socket.socket() as first:
                first.bind(("127.0.0.1", 0))
                port = first.getsockname()[1]
            if port < 65_000 and not any(Live.answers(port + n) for n in range(4)):
                return port

    def stream(self, name):
        """The process that sends a station."""
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                # Of this folder: another example may run on the machine.
                if words[0].endswith(b"ffmpeg") and f"{name}.mp3".encode() in words and os.readlink(entry / "cwd") == str(self.folder):
                    return int(entry.name)
            except OSError:
                continue
        raise AssertionError(f"nobody sends {name}")

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        finally:
            self.output.close()
