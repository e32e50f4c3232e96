"""A service with two tenants to which made-up requests are sent, and the invariants that each answer has to keep.

A request is a step: JSON that names who asks, the operation, its values and its body. A value may stand for what an earlier answer
gave: {"$from": [step, "body/id"], "else": what it was}. So steps can be left out, and sent again to another service.
"""
import base64
import hashlib
import http.client
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import time
import urllib.parse
import zlib

from json_schema import Schemas
from local_service import EARSHOT, ROOT, Service

TENANTS = {"A": ["A1", "A2"], "B": ["B1", "B2"]}
OWNERS = [*TENANTS, *sum(TENANTS.values(), [])]
# Answers that are meant where something is wrong with the service's surroundings. An unknown format of oEmbed is 501, as that standard asks.
MEANT = {501, 503, 507}
# What refuses whom a thing is not for.
REFUSED = {400, 401, 403, 404, 405, 413, 414, 415, 422, 429, 431, 503}
SETTINGS = {
    "requestsPerClient": 1_000, "queueLimit": 1_000, "pieceDrafts": 100_000, "fingerprintRequestsPerSecond": 100_000,
    "fingerprintRequestsPerAddress": 0, "failuresPerSecond": 0, "trustedProxies": ["127.0.0.0/8"],
}
MOST_BYTES = 8 << 20
TABLE = """track_id,title,artist,album,album_id,year,genre,mood,tempo,link_shop,title_jpn,artist_biography,album_review,origin,era
cold-day,Cold Day,Paul Shuler (Macroform),Sketches,sketches,2011,Ambient,Peaceful,90,0042,寒い日,Born.,A review.,USA,2010
warm-ink,Warm Ink,_ghost,Ink,ink,2012,Electronic,Happy,120,0043,,,,,
"""
RELEASE, GROUP = "7aadb04c-3c5f-4d53-9a30-5e5c3ae6cd3a", "1f5e4e5c-8b7b-4a55-a9a3-0d5a4a3b1c10"
GUIDE = """<?xml version="1.0" encoding="UTF-8"?>
<tv><channel id="one"><display-name lang="en">One</display-name></channel>
<programme start="20260101180000 +0000" stop="20260101190000 +0000" channel="one"><title lang="en">Cold Evening</title><desc>D</desc><category>film</category>
<date>1999</date><credits><actor>P</actor></credits></programme></tv>
"""
LYRICS = "[ar:_ghost]\n[ti:Warm Ink]\n[00:01.00]The ink is warm upon the page\n[00:05.00]and nobody is here to read\n"


def run(*arguments):
    subprocess.run([str(a) for a in arguments], check=True, capture_output=True)


def template(work):
    """What every service begins with: music and a catalog, media, and signatures to send."""
    data, media = work / "template/data", work / "template/media"
    for folder in [data, media, work / "words", work / "songs"]:
        folder.mkdir(parents=True)
    (work / "table.csv").write_text(TABLE)
    (work / "words/warm-ink.lrc").write_text(LYRICS)
    shutil.copy(ROOT / "Samples/Music/cold-day.ogg", work / "songs")
    run(EARSHOT, "import", "table", work / "table.csv", "--database", data / "music.sqlite")
    run(EARSHOT, "import", "lyrics", work / "words", "--database", data / "music.sqlite")
    run(EARSHOT, "catalog", "create", work / "songs", "-o", data / "catalog.earstore")
    for name in ["cold-day", "snodom"]:
        run(EARSHOT, "signature", ROOT / f"Samples/Music/{name}.ogg", "-o", work / f"{name}.earsig")
    for name in ["chirp.flac", "tagged.mp3", "wav16.wav", "tagged.m4a"]:
        shutil.copy(ROOT / "Tests/EarshotMediaTests/Fixtures" / name, media)
    (work / "guide.xml").write_text(GUIDE)
    (work / "cover.png").write_bytes(png(640))
    (media / "release.mp3").write_bytes(released((media / "tagged.mp3").read_bytes(), (work / "cover.png").read_bytes()))
    run(EARSHOT, "import", "folder", media, "--database", data / "music.sqlite")
    run(EARSHOT, "epg", "import", work / "guide.xml", "--guide", data / "guide.sqlite")


def png(side):
    """A gray picture, as large as covers have to be."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress((b"\0" + b"\x80" * side) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def released(song, picture):
    """An MP3 file with a cover and the identifiers of MusicBrainz."""
    def size(count):
        return bytes([count >> 21 & 127, count >> 14 & 127, count >> 7 & 127, count & 127])

    def frame(name, data):
        return name + size(len(data)) + b"\0\0" + data
    sound = song[10 + sum(byte << shift for byte, shift in zip(song[6:10], [21, 14, 7, 0])):] if song[:3] == b"ID3" else song
    frames = b"".join(frame(name, b"\3" + text) for name, text in [
        (b"TIT2", b"Released"), (b"TPE1", b"Somebody"), (b"TALB", b"Out Now"), (b"TXXX", f"MusicBrainz Album Id\0{RELEASE}".encode()),
        (b"TXXX", f"MusicBrainz Release Group Id\0{GROUP}".encode())]) + frame(b"APIC", b"\0image/png\0\3\0" + picture)
    return b"ID3\4\0\0" + size(len(frames)) + frames + sound


def may_see(reader, owner):
    return reader in ("operator", owner) or owner in TENANTS and reader in TENANTS[owner]


def content(recipe, work):
    """The bytes of a file of the repository, or of the folder of the run, with changes."""
    name = recipe["file"]
    data = bytearray((work / name[1:] if name.startswith("@") else ROOT / name).read_bytes())
    for edit in recipe.get("edits", []):
        if edit[0] == "set" and data:
            data[edit[1] % len(data)] = edit[2]
        elif edit[0] == "cut":
            del data[edit[1]:]
        elif edit[0] == "insert":
            data[edit[1]:edit[1]] = bytes.fromhex(edit[2])
        elif edit[0] == "drop":
            del data[:edit[1]]
        elif edit[0] == "repeat":
            data *= edit[1]
    return bytes(data)


def encoded(value):
    text = value if isinstance(value, str) else json.dumps(value) if isinstance(value, (dict, list, bool)) or value is None else str(value)
    return text.encode("utf-8", "surrogatepass")


class World:
    """A service, its tenants, and what its answers gave."""

    def __init__(self, work, name):
        self.work, self.folder = work, work / name
        shutil.copytree(work / "template/data", self.folder)
        self.exports = work / f"{name}-exports"
        self.exports.mkdir()
        self.service = Service(
            self.folder, "--media-root", f"music={work}/template/media", "--export-folder", self.exports, settings=SETTINGS).start()
        status, description, _ = self.service.ask("GET", "/v1/openapi.json")
        assert status == 200
        self.schemas = Schemas(description)
        self.operations = {}
        for path, methods in description["paths"].items():
            for method, operation in methods.items():
                self.operations[operation["operationId"]] = {**operation, "method": method.upper(), "path": path}
        self.outcomes, self.secrets, self.connection = {}, {}, None
        self.canaries = {owner: f"canary{hashlib.sha256(owner.encode()).hexdigest()[:12]}" for owner in OWNERS}
        self.tokens, self.logins = {"operator": self.service.admin, "nobody": None}, {}
        for tenant, users in TENANTS.items():
            client = self.service.client(name=f"{tenant} {self.canaries[tenant]}", mayChangeReferences=True)
            self.logins[tenant] = {"client": client["identifier"]}
            self.secrets[client["identifier"].split("-", 1)[1]] = tenant
            for user in users:
                status, record, _ = self.service.ask("POST", "/v1/users", self.service.token(client))
                assert status == 201, (status, record)
                self.logins[user] = {"client": client["identifier"], "user": record["serialised"]}
                self.note(record, user)
        for name in self.logins:
            self.renew(name)
        for user in sum(TENANTS.values(), []):
            status, answer, _ = self.service.ask("PUT", "/v1/author", self.tokens[user], {"name": f"author {user}"})
            assert status == 200, (status, answer)
        self.clients = {tenant: self.logins[tenant]["client"].split("-", 1)[0] for tenant in TENANTS}
        painter = {"identifier": "painter", "name": "Painter", "client": self.clients["A"]}
        status, answer, _ = self.service.ask("PUT", "/v1/applications/painter", self.service.admin, painter)
        assert status == 200, (status, answer)

    def renew(self, name):
        status, answer, _ = self.service.ask("POST", "/v1/tokens", None, self.logins[name])
        if status == 200:
            self.tokens[name] = answer["token"]
            self.note(answer["token"], name)
        return status == 200

    def close(self):
        self.connection and self.connection.close()
        if self.service.process.poll() is None:
            self.service.stop(9)
        self.service.process.stdout.close()
        for folder in [self.folder, self.exports]:
            shutil.rmtree(folder, ignore_errors=True)

    # -- What is known

    def note(self, value, owner):
        """Keeps the identifiers in a value as its owner's alone."""
        if isinstance(value, dict):
            for name in ["id", "serialised", "deviceCode"]:
                self.note(value.get(name), owner)
        elif isinstance(value, list):
            for item in value:
                self.note(item, owner)
        elif isinstance(value, str):
            for word in words(value):
                self.secrets.setdefault(word, owner)

    def valued(self, value):
        """A value with what earlier answers gave in it."""
        if isinstance(value, dict) and "$from" in value:
            number, pointer = value["$from"]
            found = self.outcomes.get(number)
            for name in pointer.split("/"):
                try:
                    found = found[int(name)] if isinstance(found, list) else found[name]
                except (KeyError, IndexError, TypeError, ValueError):
                    return value.get("else")
            return f"{value.get('before', '')}{found}{value.get('after', '')}" if "before" in value or "after" in value else found
        if isinstance(value, dict):
            return {name: self.valued(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.valued(item) for item in value]
        return value

    # -- Sending

    def request(self, step):
        """The method, path, headers and body of a step."""
        path = step["path"]
        for name, value in step.get("values", {}).items():
            text = encoded(self.valued(value))
            path = path.replace("{" + name + "}", urllib.parse.quote(text, safe="%./" if step.get("raw") else ""))
        path = re.sub(r"[^!-~]", "", path)
        if step.get("query"):
            path += "?" + "&".join(f"{urllib.parse.quote(encoded(n))}={urllib.parse.quote(encoded(self.valued(v)), safe='')}" for n, v in step["query"])
        headers = {name: str(self.valued(value)) for name, value in step.get("headers", {}).items()}
        who = step["who"]
        token = self.tokens[who] if isinstance(who, str) else self.valued(who)
        if token is not None:
            headers["Authorization"] = f"Bearer {re.sub(r'[^!-~]', '', str(token))}"
        body, recipe = None, step.get("body")
        if recipe:
            if "json" in recipe:
                body = json.dumps(self.valued(recipe["json"])).encode()
            elif "form" in recipe:
                fields = self.valued(recipe["form"])
                body = "&".join(f"{urllib.parse.quote(encoded(n))}={urllib.parse.quote(encoded(v), safe='')}" for n, v in fields).encode()
            elif "file" in recipe:
                body = content(recipe, self.work)
            else:
                body = base64.b64decode(recipe["bytes"])
            if recipe.get("part") is not None:
                body = (f'--limit\r\nContent-Disposition: form-data; name="{recipe["part"]}"; filename="a"\r\n\r\n'.encode() + body + b"\r\n--limit--\r\n")
            headers["Content-Type"] = recipe["type"]
        return step["method"], path, headers, body

    def send(self, step):
        """The outcome of a step: status, type, headers, bytes; or what went wrong."""
        method, path, headers, body = self.request(step)
        sent = " ".join([path, *headers.values(), (body or b"")[:200_000].decode("utf-8", "replace"), urllib.parse.unquote(path)])
        begin = time.time()
        for attempt in range(2):
            fresh = self.connection is None
            if fresh:
                self.connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=60)
            try:
                self.connection.request(method, path, body, headers)
                answer = self.connection.getresponse()
                kind = (answer.headers.get("Content-Type") or "").split(";")[0].strip()
                if kind == "text/event-stream":
                    data = self.events(answer)
                else:
                    data = answer.read(MOST_BYTES)
                    if answer.read(1) or answer.will_close:
                        self.disconnect()
                return {"status": answer.status, "type": kind, "headers": dict(answer.headers), "data": data, "sent": sent, "time": time.time() - begin}
            except (OSError, http.client.HTTPException) as error:
                self.disconnect()
                # An open connection may be closed by the service whenever nothing is asked on it.
                if fresh or isinstance(error, TimeoutError):
                    return {"status": 0, "error": f"{type(error).__name__}: {error}", "sent": sent, "time": time.time() - begin}
        return {"status": 0, "error": "no connection", "sent": sent, "time": time.time() - begin}

    def disconnect(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def events(self, answer):
        """What comes of events in a short time."""
        data, end = b"", time.time() + 2
        self.connection.sock and self.connection.sock.settimeout(0.5)
        try:
            while time.time() < end and len(data) < 1 << 16:
                more = answer.read1(1 << 12)
                if not more:
                    break
                data += more
        except (socket.timeout, OSError, http.client.HTTPException):
            pass
        self.disconnect()
        return data

    def perform(self, step):
        """Sends a step, keeps what it gave, and returns what it broke: an invariant, what makes it one failure, and what happened."""
        outcome = self.send(step)
        if outcome["status"] == 401 and isinstance(step["who"], str) and step["who"] in self.logins and self.renew(step["who"]):
            outcome = self.send(step)
        document = None
        if outcome["status"] and outcome["type"].endswith("json"):
            try:
                document = json.loads(outcome["data"])
            except ValueError:
                document = ValueError
        text = outcome.get("data", b"").decode("utf-8", "replace")
        result = {"status": outcome["status"], "body": document if document is not ValueError else None, "headers": outcome.get("headers", {})}
        if outcome["status"] and outcome["type"] == "text/html":
            result["hidden"] = [list(pair) for pair in re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', text)]
        if found := re.search(r"[?&]code=([^&]+)", outcome.get("headers", {}).get("Location", "")):
            result["code"] = found[1]
        self.outcomes[step["number"]] = result
        broken = self.judged(step, outcome, document, text)
        # What a request made for its sender alone is nobody else's from now on.
        if step.get("owner") and 200 <= outcome["status"] < 300 and document:
            for pointer in step["makes"]:
                self.note([self.valued({"$from": [step["number"], f"body/{pointer}"]})], step["owner"])
        return result, broken

    # -- Invariants

    def judged(self, step, outcome, document, text):
        status, operation = outcome["status"], self.operations.get(step["operation"])
        broken = []
        if self.service.process.poll() is not None:
            return [("lives", "", f"the process ended with {self.service.process.returncode}")]
        if not status:
            return [("answers", "", outcome["error"])]
        if outcome["time"] > 30:
            broken.append(("answers", "late", f"after {outcome['time']:.0f} s"))
        if status >= 500 and (status not in MEANT or status == 501 and step["operation"] != "oEmbed"):
            broken.append(("server error", str(status), text[:300]))
        if operation and not step.get("foreign"):
            broken += self.undescribed(step, operation, outcome, document)
        if any(name.lower() == "x-injected" for name in outcome["headers"]):
            broken.append(("header", "", str(outcome["headers"])))
        if outcome["type"] in ("text/html", "application/rss+xml") and "<img src=x" in text:
            broken.append(("markup", "", text[max(0, text.find("<img src=x") - 120):][:240]))
        broken += self.leaked(step, outcome, text + json.dumps(outcome["headers"]))
        return broken

    def undescribed(self, step, operation, outcome, document):
        status, described = outcome["status"], operation["responses"]
        general = {414, 431}
        if any(not re.search("[^/.]", str(self.valued(v))) or step.get("raw") for v in step.get("values", {}).values()):
            # The path may be that of another route, or of none.
            return []
        if str(status) not in described:
            return [] if status in general else [("described status", str(status), str(outcome["data"][:200]))]
        if step["method"] == "HEAD":
            return [("no body for HEAD", "", str(outcome["data"][:80]))] if outcome["data"] else []
        kinds = described[str(status)].get("content", {})
        if not kinds:
            return []
        if outcome["type"] not in kinds and "*/*" not in kinds and not (outcome["type"].startswith("image/") and "image/png" in kinds):
            return [("described type", f"{status} {outcome['type']}", f"not one of {list(kinds)}")]
        if outcome["type"] == "application/json":
            if document is ValueError:
                return [("JSON", str(status), str(outcome["data"][:200]))]
            if found := self.schemas.wrong(document, kinds["application/json"]["schema"]):
                place = re.sub("[0-9]+", "n", found.split(" ")[0])
                return [("schema", f"{status} {place}", found)]
        return []

    def leaked(self, step, outcome, text):
        reader = step["who"] if isinstance(step["who"], str) else "guest"
        broken = []
        for owner, canary in self.canaries.items():
            # The page for a device names the app that asks to whoever has the code that it shows.
            if step["path"].partition("?")[0] == "/device":
                continue
            if canary in text and canary not in outcome["sent"] and not may_see(reader, owner):
                broken.append(("isolation", "text", f"{reader} was told of what is {owner}'s: {text[max(0, text.find(canary) - 120):][:240]}"))
        sent = set(words(outcome["sent"]))
        for word in set(words(text)):
            owner = self.secrets.get(word)
            if owner and word not in sent and not may_see(reader, owner):
                broken.append(("isolation", "identifier", f"{reader} was told {word}, which is {owner}'s: {text[max(0, text.find(word) - 120):][:240]}"))
        for value in step.get("values", {}).values():
            word = self.valued(value)
            owner = self.secrets.get(word) if isinstance(word, str) else None
            if owner and not may_see(reader, owner) and outcome["status"] not in REFUSED:
                broken.append(("isolation", str(outcome["status"]), f"{reader} asked for {word}, which is {owner}'s, and got {outcome['status']} {text[:200]}"))
        return broken

    # -- The process

    def size(self):
        """Resident memory in MB, and open files."""
        return self.service.rss(), len(os.listdir(f"/proc/{self.service.process.pid}/fd"))


def words(text):
    """Whatever in a text could be an identifier or a secret; of a signed token its signature."""
    return [word for word in re.findall(r"[A-Za-z0-9_-]{12,}", text) if not word.startswith("eyJ")]
