"""Pieces for the stories: sounds, and what others have published already."""
import hashlib

from .stories import MUSIC, run


def sound(stage, name, song="win-game.ogg", seconds=12, *filters, rate=44100, channels=2):
    """A WAVE file of a song of the samples, from its begin again where it is too short."""
    path = stage.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        run("ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", MUSIC / song, *(["-af", ",".join(filters)] if filters else []), "-t", seconds, "-vn",
            "-map_metadata", "-1", "-ac", channels, "-ar", rate, path)
    return path


def picture(stage, name="wide.png"):
    """A picture of 1000 x 500 pixels, red to the left and blue to the right."""
    path = stage.folder / name
    if not path.exists():
        run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:s=500x500", "-f", "lavfi", "-i", "color=blue:s=500x500",
            "-filter_complex", "hstack", "-frames:v", 1, path)
    return path


def author(stage, name):
    """A token of a user who publishes under a name."""
    tokens = stage.__dict__.setdefault("authors", {})
    if name not in tokens:
        service = stage.service
        client = service.client()
        status, user, _ = service.ask("POST", "/v1/users", service.token(client))
        assert status == 201 or status == 200, user
        token = service.token(client, user["serialised"])
        status, told, _ = service.ask("PUT", "/v1/author", token, {"name": name})
        assert status == 200, told
        tokens[name] = token
    return tokens[name]


def publish(stage, name, title, path, stems=(), based_on=(), seconds=12, **more):
    """Publishes a piece as an author, and gives its identifier."""
    token, service = author(stage, name), stage.service
    parts = [(None, path), *stems]
    announced = [{"kind": "stem", "size": p.stat().st_size, "sha256": hashlib.sha256(p.read_bytes()).hexdigest(), "format": "wave", **({"name": n} if n else {})}
                 for n, p in parts]
    status, created, _ = service.ask("POST", "/v1/pieces", token, {"title": title, "length": seconds * 1_000_000, "basedOn": list(based_on), "parts": announced, **more})
    assert status == 201, created
    for (_, p), upload in zip(parts, created["uploads"]):
        status, told, _ = service.ask("PUT", f"/v1/uploads/{upload['id']}", token, p.read_bytes(), "application/octet-stream")
        assert status == 200, told
    status, told, _ = service.ask("POST", f"/v1/pieces/{created['id']}/publish", token)
    assert status == 200, told
    return created["id"]
