"""Makes up requests of a service from its description, from what earlier answers gave, and from values that readers trip over."""
import base64
import hashlib
import json
import urllib.parse

from fuzzed_service import GROUP, OWNERS, RELEASE, TENANTS, content
from json_schema import TEXTS, hostile
from local_service import ROOT

FIXTURES = "Tests/EarshotMediaTests/Fixtures/"
SOUND = [FIXTURES + name for name in ["chirp.flac", "wav16.wav", "tagged.mp3", "chirp.spx", "silent.mp4", "protected.mp4", "gsm.wav", "multi.mkv", "loud.wav"]]
SIGNATURES = ["@cold-day.earsig", "@snodom.earsig", "Fuzz/Seeds/FuzzSignature/small.earsig", "Fuzz/Seeds/FuzzSignature/spectrogram.earsig"]
SIGNATURE = "application/vnd.earshot.signature"
FILES = {
    "application/vnd.earshot.bundle": ["Fuzz/Seeds/FuzzBundle/small.earbundle"],
    "application/vnd.earshot.live": ["Fuzz/Seeds/FuzzLiveFeed/three-pieces"],
    "image/png": ["@cover.png"], "image/jpeg": ["@cover.png"],
    SIGNATURE: SIGNATURES, "audio/*": SOUND, "video/*": SOUND, "application/octet-stream": SOUND + SIGNATURES,
}
# The pool that a parameter of a path is taken from, by the name before it.
POOLS = {"embed": "pieces", "content": "contents", "open": "applications"}
# What answers give: a pointer into the answer, the pool, and whether it is the sender's own ("user", "tenant") or anybody's.
GIVEN = {
    "beginPiece": [("id", "pieces", "user"), ("uploads/*/id", "uploads", "user")], "findPieces": [("pieces/*/id", "pieces", "")],
    "export": [("id", "exports", "tenant")], "analyse": [("id", "analyses", "tenant")], "submitJob": [("id", "jobs", "tenant")],
    "makeClient": [("id", "clients", ""), ("identifier", "identifiers", "")], "register": [("serialised", "users", "user")],
    "newRegistration": [("serialised", "users", "")], "token": [("token", "tokens", "")], "addReference": [("id", "references", "")],
    "references": [("references/*/id", "references", "")], "bundles": [("bundles/*/id", "bundles", "")],
    "beginDeviceLogin": [("deviceCode", "devices", "tenant"), ("userCode", "userCodes", "")], "catalogs": [("*/name", "catalogs", "")],
    "history": [("entries/*/id", "history", "")], "channels": [("channels/*/id", "channels", "")], "programs": [("programs/*/id", "programs", "")],
    "works": [("works/*/id", "works", "")], "airings": [("airings/*/program/id", "programs", "")], "putApplication": [("identifier", "applications", "")],
}
# Names of fields that are identifiers wherever they stand.
NAMED = {"trackID": "tracks", "albumID": "albums", "artistID": "artists"}
# What follows a success, so that states come to be which chance alone would seldom reach; with * somebody else asks.
STORIES = {
    "beginPiece": ["sendPart", "sendPart", "sendPart", "sendPart", "publishPiece", "*piece", "*pieceSound", "pieceSound", "*upload", "*beginPiece", "changeCover", "*changePiece"],
    "publishPiece": ["piece", "piecePage", "findings", "*findings", "pieceCover", "*pieceAttachment", "pieceAttachment", "changePiece", "*piecePage", "embedPage", "pieceActivity", "descendants",
                     "*ancestors", "oEmbed", "openPage", "recognisePiece"],
    "makeClient": ["newRegistration", "token"], "token": ["me", "unregister", "me"], "register": ["token", "unregister"],
    "newRegistration": ["token", "token", "registration"], "loginPage": ["logIn"], "logIn": ["authorise", "authorise"],
    "beginDeviceLogin": ["devicePage", "logInDevice", "deviceAnswer", "*deviceAnswer"],
    "export": ["*exportRecord", "*exportFile", "exportRecord", "exportEvents", "exportFile", "exportFile", "*removeExport", "removeExport"],
    "submitJob": ["*job", "job", "jobEvents", "*cancelJob", "cancelJob"], "analyse": ["*analysisRun", "analysisRun", "assetAnalyses", "*removeAnalysisRun", "removeAnalysisRun"],
    "recognise": ["history", "*history", "removeHistoryEntry"], "addReference": ["reference", "signatureOfReference", "recognise", "removeReference"],
    "publishCatalog": ["catalogs", "newestCatalog", "catalogVersions", "catalogVersion"], "publishBundle": ["bundle", "bundles", "removeBundle"],
    "channels": ["channel"], "programs": ["program"], "works": ["work"], "airings": ["program", "channel"], "removePiece": ["piece", "*piece", "*piecePage", "*findings"],
    "putApplication": ["applications", "loginPage", "openPage"], "search": ["album", "track", "artist", "content", "lyricsOfTrack"],
}
# What would end the tenants, or what takes long: rare, or for what was made on the way alone.
RARE = {"rotateKeys": 0.1, "logIn": 0.3, "logInDevice": 0.3, "submitJob": 0.4, "publishCatalog": 0.3, "exportCatalog": 0.3, "exportEvents": 0.3,
        "jobEvents": 0.3, "setAuthor": 0.3, "analyse": 0.3, "removeReference": 0.5, "removePiece": 0.5, "metrics": 0.3, "description": 0.1}
TEXT = {
    "q": ["warm", "cold day", "play track chirp", "canary"], "artist": ["_ghost"], "album": ["ink"], "track": ["warm ink"], "title": ["Cold", "warm"],
    "fragment": ["ink upon the page"], "country": ["DEU", "JPN"], "lang": ["eng", "jpn"], "sizes": ["SMALL", "SMALL,LARGE"], "key": ["C", "F#m"],
    "tempo": ["120", "90-140"], "author": ["author A1"], "value": ["GBAYE0601498"], "application": ["painter"], "state": ["1"], "preferredSource": ["shop"], "url": ["{base}/pieces/x"], "channel": ["one"],
}
# None of them leads anywhere but to this machine.
ADDRESSES = ["http://127.0.0.1:9/x.wav", "http://localhost:9/", "http://[::1]:9/a", "file:///etc/passwd", "http://name.invalid/", "http://127.1:9", "ftp://127.0.0.1/",
             "http://", "http://u:p@127.0.0.1:9/", "http://127.0.0.1:99999/"]


class Requests:
    """Makes steps, and learns from their answers."""

    def __init__(self, world, chance):
        self.world, self.chance, self.number = world, chance, 0
        self.pools, self.forms, self.succeeded, self.latest = {}, [], {}, None
        self.etags, self.plan = [], []
        self.names = sorted(world.operations) + ["acoustid"]
        for name, entries in {
            "assets": ["music/release.mp3", "music/chirp.flac", "music/tagged.mp3", "music/wav16.wav"], "references": ["cold-day"], "tracks": ["cold-day", "warm-ink"], "albums": ["ink"],
            "artists": ["_ghost"], "catalogs": ["songs"], "bundles": ["b"], "channels": ["7", "one"], "applications": ["painter"], "works": ["w"], "programs": ["p"],
            "release": [RELEASE], "release-group": [GROUP],
        }.items():
            self.pools[name] = [{"value": entry, "owner": None} for entry in entries]

    # -- Values

    def entry(self, pool, who, isPrivate=None):
        """Something that is known, the sender's own more often than others'."""
        entries = [e for e in self.pools.get(pool, [])[-60:] if isPrivate is None or bool(e["owner"]) == isPrivate]
        if entries and self.plan and self.chance.random() < 0.7:
            # A story is about what was made last; of a piece there are up to three parts.
            return self.chance.choice(entries[-3:]) if pool == "uploads" else entries[-1]
        own = [e for e in entries if e["owner"] in (who, None) or who in TENANTS.get(e["owner"], [])]
        if own and self.chance.random() < 0.75:
            entries = own
        return self.chance.choice(entries) if entries else None

    def known(self, pool, who):
        found = self.entry(pool, who)
        return found["value"] if found else None

    def canary(self, who):
        return self.world.canaries.get(who, "canary")

    def file(self, names, kind, edits):
        recipe = {"file": self.chance.choice(names), "type": kind}
        if edits:
            recipe["edits"] = self.edits()
        return recipe

    def edits(self):
        edits = []
        for _ in range(self.chance.choice([1, 1, 3, 8])):
            place = self.chance.choice([self.chance.randrange(64), self.chance.randrange(20_000)])
            edits.append(self.chance.choice([
                ["set", place, self.chance.choice([0, 1, 127, 128, 255, self.chance.randrange(256)])], ["cut", place],
                ["insert", place, self.chance.randbytes(self.chance.choice([1, 4, 300])).hex()], ["repeat", 2]]))
        return edits

    def text(self, name, schema):
        if name == "url":
            piece = self.known("pieces", None)
            if piece is not None:
                return piece | {"before": f"{self.world.service.base}/pieces/"} if isinstance(piece, dict) else f"{self.world.service.base}/pieces/{piece}"
        if name in TEXT and "enum" not in schema:
            return self.chance.choice(TEXT[name])
        return self.world.schemas.made(schema, self.chance)

    # -- Steps

    def chosen(self):
        weights = []
        for name in self.names:
            weight = RARE.get(name, 1) * (0.25 + (1 + self.succeeded.get(name, 0)) ** -0.5)
            path = self.world.operations[name]["path"] if name in self.world.operations else ""
            if self.latest and f"/{self.latest}/{{" in path:
                weight *= 6
            weights.append(weight)
        return self.chance.choices(self.names, weights)[0]

    def planned(self):
        """The next of a story that was begun, or what chance chooses."""
        if not self.plan or self.chance.random() < 0.3:
            return self.chosen(), None
        name, who = self.plan.pop(0)
        if name[0] == "*":
            return name[1:], self.chance.choice([o for o in OWNERS if o != who])
        return name, None if name == "unregister" else who

    def sender(self, operation):
        """Who asks: mostly somebody who may."""
        if operation == "unregister":
            return self.known("userTokens", None) or "nobody"
        if operation.startswith("/v1/admin") and self.chance.random() < 0.8:
            return "operator"
        kind = self.chance.random()
        if kind < 0.6:
            return self.chance.choice(sum(TENANTS.values(), []))
        if kind < 0.75:
            return self.chance.choice(OWNERS)
        if kind < 0.88:
            return "operator"
        if kind < 0.94:
            return self.known("tokens", None) or "nobody"
        return self.chance.choice(["nobody", {"$from": [-1, "none"], "else": self.chance.choice(["a.b.c", "earshot-admin-x", "eyJhbGciOiJub25lIn0.e30.", "%00"])}])

    def step(self):
        """The next request."""
        name, who = self.planned()
        if name == "acoustid":
            return self.acoustid()
        operation = self.world.operations[name]
        who = who or self.sender(name if name == "unregister" else operation["path"])
        step = {"number": self.number, "who": who, "operation": name, "method": operation["method"], "path": operation["path"], "values": {}, "query": [], "headers": {}}
        self.number += 1
        temper = self.chance.choices(["right", "changed", "hostile"], [0.55, 0.33, 0.12])[0]
        reader = who if isinstance(who, str) else "guest"
        private = self.path(step, operation, reader, temper)
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query" and (parameter["required"] or self.chance.random() < 0.15):
                if temper == "hostile" and self.chance.random() < 0.5:
                    value = hostile(self.chance)
                elif temper == "changed" and self.chance.random() < 0.2:
                    value = self.chance.choice(TEXTS)
                else:
                    value = self.text(parameter["name"], parameter["schema"])
                for item in value if isinstance(value, list) else [value]:
                    step["query"].append([parameter["name"], item])
        if "requestBody" in operation:
            step["body"] = self.body(step, name, operation["requestBody"]["content"], reader, temper, private)
        self.headers(step, operation, temper)
        self.owned(step, name, reader)
        if step["method"] == "GET" and self.chance.random() < 0.02:
            step["method"] = "HEAD"
        elif self.chance.random() < 0.01:
            step["method"], step["foreign"] = self.chance.choice(["PUT", "DELETE", "PATCH", "POST", "OPTIONS", "TRACE", "PROPFIND"]), True
            # Another method of the same path is another operation, and not all of them are for everybody's things.
            if step["path"] in ("/v1/users/me", "/v1/admin/clients/{id}"):
                step["method"] = "OPTIONS"
        return step

    def path(self, step, operation, reader, temper):
        """Fills the path; returns whether it names what is private."""
        private = False
        parts = step["path"].split("/")
        for parameter in operation.get("parameters", []):
            if parameter["in"] != "path":
                continue
            name = parameter["name"]
            before = parts[parts.index("{" + name + "}") - 1]
            pool = POOLS.get(before, before)
            found = self.entry(pool, reader)
            if temper == "hostile" and self.chance.random() < 0.5 or found is None or self.chance.random() < 0.04:
                step["values"][name] = self.world.schemas.made(parameter["schema"], self.chance) if temper == "right" or self.chance.random() < 0.3 else hostile(self.chance)
                if pool == "contents" and self.pools.get("contents"):
                    step["values"][name] = self.chance.choice(TEXTS)
                step["raw"] = self.chance.random() < 0.3
            else:
                step["values"][name], private = found["value"], bool(found["owner"])
                step["entry"] = found.get("file")
        return private

    def body(self, step, name, kinds, reader, temper, private):
        kind = self.chance.choice(sorted(kinds))
        if kind == "application/x-www-form-urlencoded":
            return self.form(name, kind, temper)
        if kind == "application/json":
            value = self.document(name, kinds[kind]["schema"], reader, private, step)
            if temper == "hostile":
                if self.chance.random() < 0.5:
                    raw = self.chance.choice([b"", b"{", b"[1,]", b"\xff\xfe{}", b"[" * 50_000, b'{"a":' * 20_000, b"NaN", b'{"kind":"check","kind":1}', b"\xef\xbb\xbf{}",
                                              json.dumps(value).encode()[:-1], b" " * 70_000 + b"{}", b'"\\ud800"', b"1e999", b"-"])
                    return {"bytes": base64.b64encode(raw).decode(), "type": self.chance.choice([kind, "text/plain", ""])}
                return {"json": hostile(self.chance), "type": kind}
            if temper == "changed":
                before = value
                value = self.world.schemas.changed(value, self.chance)
                # What has a canary in it has to stay private.
                if isinstance(before, dict) and before.get("visibility") == "private" and isinstance(value, dict):
                    value["visibility"] = "private"
            return {"json": value, "type": kind}
        if name == "sendPart":
            recipe = dict(step.pop("entry", None) or {"file": self.chance.choice(SOUND)})
            if temper != "right":
                recipe["edits"] = self.edits()
            return {**recipe, "type": "application/octet-stream"}
        if kind == "multipart/form-data":
            recipe = self.file(SOUND + SIGNATURES, "multipart/form-data; boundary=limit", temper != "right")
            return {**recipe, "part": "sample" if temper == "right" else self.chance.choice(["sample", "", "x\"y"])}
        sent = {"audio/*": "audio/flac", "video/*": "video/mp4"}.get(kind, kind)
        if temper == "hostile" and self.chance.random() < 0.3:
            return {"bytes": base64.b64encode(self.chance.randbytes(self.chance.choice([0, 1, 12, 900]))).decode(), "type": sent}
        # Signatures take the least time, and only the long ones are recognized.
        names = FILES.get(kind, SOUND)
        if len(kinds) > 2 and self.chance.random() < 0.5:
            names, sent = SIGNATURES, SIGNATURE
        return self.file(names, sent, temper != "right")

    def document(self, name, schema, reader, private, step):
        """What is right to send as JSON, as far as it is known."""
        value = self.world.schemas.made(schema, self.chance)
        if name == "beginPiece":
            return self.piece(value, reader, step)
        if name == "changePiece":
            value = {"title": f"{self.canary(reader)} {self.number}"} if private else {"title": f"a title {self.number}"}
            if self.chance.random() < 0.5:
                value["visibility"] = "private" if private else self.chance.choice(["listed", "unlisted"])
        elif name == "setAuthor":
            # Names are everybody's to see; a password would keep the tenants from changing them later.
            value = {"name": f"author {reader} {self.chance.randrange(100)}"}
        elif name in ("makeClient", "changeClient"):
            value |= {"name": "made on the way", "isEnabled": True, "modules": ["monitoring", "music"], "mayChangeReferences": False}
            value.pop("userLimit", None)
        elif name == "token":
            value = {"client": self.known("identifiers", None) or "x-y"}
            if (user := self.known("users", None)) and self.chance.random() < 0.7:
                value["user"] = user
        elif name == "newRegistration":
            value = {"client": self.known("identifiers", None) or "x-y", "appVersion": "1", "modules": ["music"]}
        elif name == "putApplication":
            value = {"identifier": self.known("applications", None), "name": "Painter", "client": self.chance.choice(list(self.world.clients.values()))}
            step["values"]["identifier"] = value["identifier"]
        elif name == "authorise":
            value = {"code": self.known("codes", None) or "x"}
        elif name == "deviceAnswer":
            value = {"deviceCode": self.known("devices", reader) or "x"}
        elif name == "submitJob":
            value = {"kind": self.chance.choice(["addReference", "publish", "check", "backup"]), "id": f"job-{self.number}"}
            if value["kind"] == "addReference":
                value |= {"url": self.chance.choice(ADDRESSES), "item": {"title": "t"}}
        elif name == "export":
            value |= {"asset": self.known("assets", None), "name": f"{self.canary(self.tenant(reader))}-{self.number}.flac"}
            value.pop("type", None)
            if self.chance.random() < 0.5:
                value.pop("settings", None)
        elif name == "analyse":
            value = {"folder": "music", "analysers": [self.chance.choice(["loudness", "key", "silence", "waveform"])]}
        elif name == "identifyAlbums":
            for file in value["files"]:
                file.pop("signature", None)
        return value

    @staticmethod
    def tenant(reader):
        return next((tenant for tenant, users in TENANTS.items() if reader == tenant or reader in users), reader)

    def piece(self, value, reader, step):
        isPrivate = self.chance.random() < 0.6
        files = [{"file": self.chance.choice([FIXTURES + "wav16.wav", FIXTURES + "loud.wav"]), "kind": "stem", "format": "wave"}]
        if self.chance.random() < 0.3:
            files.append({"file": "@cover.png", "kind": "cover"})
        if self.chance.random() < 0.3:
            files.append({"file": "Fuzz/Seeds/FuzzPlaylist/list.m3u", "kind": "attachment"})
        parts, step["files"] = [], []
        for file in files:
            data = content(file, self.world.work)
            parts.append({k: file[k] for k in ("kind", "format") if k in file} | {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
            if file["kind"] == "attachment":
                parts[-1]["fileName"] = self.chance.choice(["list.m3u", *TEXTS[:16]])
            step["files"].append({"file": file["file"]})
        right = {
            "title": f"{self.canary(reader)} {self.number}" if isPrivate else f"a piece {self.number}", "length": 2_000_000,
            "visibility": "private" if isPrivate else self.chance.choice(["listed", "unlisted"]), "parts": parts}
        if isPrivate:
            right["description"] = f"of {self.canary(reader)}"
        elif self.chance.random() < 0.4:
            right["description"] = self.chance.choice(TEXTS)
        if (parent := self.entry("pieces", reader, isPrivate=None if isPrivate else False)) and self.chance.random() < 0.4:
            right["basedOn"] = [parent["value"]]
        if self.chance.random() < 0.3:
            right |= {name: value[name] for name in ["tempo", "tonality", "timeSignature", "loop"] if name in value}
        return right

    def form(self, name, kind, temper):
        """The form of a page that was shown, filled in."""
        fields = list(self.chance.choice(self.forms)) if self.forms else [["application", "painter"], ["state", "1"]]
        account = f"person{self.chance.randrange(4)}"
        fields += [["name", account], ["password", "correct horse" if temper == "right" else self.chance.choice(TEXTS)], ["action", self.chance.choice(["login", "create"])]]
        if name == "logInDevice":
            fields.append(["code", self.known("userCodes", None) or "AAAA-AAAA"])
        if temper == "hostile":
            fields[self.chance.randrange(len(fields))] = [self.chance.choice(["application", "state", "seal", ""]), self.chance.choice(TEXTS)]
        return {"form": fields, "type": kind}

    def acoustid(self):
        """A request of the other protocol that the service speaks, which its description leaves out."""
        number = self.number
        self.number += 1
        path = self.chance.choice(["/v2/lookup", "/v2/lookup", "/v2/submit", "/v2/submission_status", "/v2/track/list_by_mbid", "/v2/fingerprint"])
        step = {"number": number, "who": "nobody", "operation": "acoustid", "method": self.chance.choice(["GET", "POST"]), "path": path, "values": {}, "query": [],
                "headers": {}}
        kind = "application/x-www-form-urlencoded"
        if self.chance.random() < 0.3:
            # A seed begins with a byte that says to its fuzz target what it is.
            name = self.chance.choice(["gzip", "zlib", "bomb", "stored"])
            recipe = {"file": f"Fuzz/Seeds/FuzzFingerprintForm/{name}", "edits": [["drop", 1]] + (self.edits() if self.chance.random() < 0.5 else []), "type": kind}
            return step | {"method": "POST", "body": recipe, "headers": {"Content-Encoding": "gzip"}}
        form = urllib.parse.parse_qsl((ROOT / f"Fuzz/Seeds/FuzzFingerprintForm/{self.chance.choice(['lookup', 'submit'])}").read_text("latin-1")[1:], True)
        fields = [[name, value] for name, value in form if name not in ("client", "user")]
        fields += [["client", self.known("identifiers", None) or "x-y"], ["user", self.known("users", None) or "x.y"], ["id", "1"], ["mbid", "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c01"]]
        for _ in range(self.chance.choice([0, 0, 1, 3])):
            fields[self.chance.randrange(len(fields))][self.chance.choice([0, 1, 1, 1])] = self.chance.choice(TEXTS)
        return step | ({"query": fields} if step["method"] == "GET" else {"body": {"form": fields, "type": kind}})

    def headers(self, step, operation, temper):
        kinds = operation["responses"].get("200", {}).get("content", {"application/json": {}})
        if "application/json" not in kinds and self.chance.random() < 0.3:
            step["headers"]["Range"] = self.chance.choice([
                "bytes=0-9", "bytes=-5", "bytes=5-", "bytes=9-1", "bytes=0-0,5-9", "bytes=18446744073709551615-", "bytes=-9223372036854775808", "bytes=a-b", "bytes="])
        if step["method"] == "GET" and self.etags and self.chance.random() < 0.1:
            step["headers"][self.chance.choice(["If-None-Match", "If-Match", "If-Range"])] = self.chance.choice(self.etags[-20:])
        if temper == "hostile" and self.chance.random() < 0.3:
            name, value = self.chance.choice([
                ("Accept", "a/b;q=9"), ("Accept", "x" * 3_000), ("Content-Encoding", "gzip"), ("Accept-Encoding", "zstd"), ("X-Forwarded-For", "1.2.3.4, x"), ("Forwarded", "for=\"["),
                ("Upload-Offset", "-1"), ("Content-Range", "bytes 5-1/*"), ("Content-Range", "bytes 0-9223372036854775807/9223372036854775807"), ("Origin", "null"),
                ("Cookie", "a=b"), ("traceparent", "00-x"), ("If-None-Match", "*, W/\""), ("X-Request-ID", "\u00ff" * 300)])
            step["headers"][name] = value

    # -- Answers

    def owned(self, step, name, reader):
        """Says which identifiers of the answer are the sender's alone."""
        document = step.get("body", {}).get("json")
        for pointer, _, kind in GIVEN.get(name, []):
            if not kind or reader not in OWNERS:
                continue
            if name == "beginPiece" and pointer == "id" and not (isinstance(document, dict) and document.get("visibility") == "private"):
                continue
            step["owner"] = reader if kind == "user" else self.tenant(reader)
            step.setdefault("makes", []).append(pointer.split("/")[0])

    def learn(self, step, result):
        """Takes from an answer what later requests may use."""
        self.latest = None
        if not 200 <= result["status"] < 400:
            return
        name, body = step["operation"], result["body"]
        if not step.get("foreign"):
            self.succeeded[name] = self.succeeded.get(name, 0) + 1
        if "hidden" in result and result["hidden"]:
            self.forms = self.forms[-9:] + [[[key, {"$from": [step["number"], f"hidden/{index}/1"], "else": value}] for index, (key, value) in enumerate(result["hidden"])]]
        if "code" in result:
            self.keep("codes", {"$from": [step["number"], "code"], "else": result["code"]}, None)
        if etag := result["headers"].get("ETag"):
            self.etags.append({"$from": [step["number"], "headers/ETag"], "else": etag})
        if name == "publishPiece":
            self.latest = "pieces"
        if len(self.plan) < 24 and self.chance.random() < 0.6:
            self.plan = [(following, step["who"]) for following in STORIES.get(name, [])] + self.plan
        if not body:
            return
        for pointer, pool, _ in GIVEN.get(name, []):
            for index, (place, value) in enumerate(found(body, pointer.split("/"))):
                files = step.get("files", [])
                isPrivate = step.get("owner") and place.split("/")[0] in step["makes"]
                self.keep(pool, {"$from": [step["number"], f"body/{place}"], "else": value}, step["owner"] if isPrivate else None,
                          files[index] if pool == "uploads" and index < len(files) else None)
                self.latest = pool
                if pool == "tokens" and "user" in (step["body"].get("json") or {}):
                    self.keep("userTokens", {"$from": [step["number"], "body/token"], "else": value}, None)
        self.named(body, "body", step["number"], 0)

    def named(self, value, place, number, depth):
        if depth > 6:
            return
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value[:3])):
            if isinstance(item, (dict, list)):
                self.named(item, f"{place}/{key}", number, depth + 1)
            elif isinstance(item, str) and key in NAMED:
                self.keep(NAMED[key], {"$from": [number, f"{place}/{key}"], "else": item}, None)
            elif isinstance(item, str) and "/v1/content/" in item:
                self.keep("contents", item.split("/v1/content/")[1], None)

    def keep(self, pool, value, owner, file=None):
        entries = self.pools.setdefault(pool, [])
        entries.append({"value": value, "owner": owner, "file": file})
        del entries[:-400]


def found(value, names, place=""):
    """The values at a pointer, in which * stands for each item, with the pointer to each."""
    if not names:
        return [(place.strip("/"), value)]
    if names[0] == "*":
        items = enumerate(value[:5]) if isinstance(value, list) else []
        return [pair for index, item in items for pair in found(item, names[1:], f"{place}/{index}")]
    return found(value[names[0]], names[1:], f"{place}/{names[0]}") if isinstance(value, dict) and names[0] in value else []
