"""Long and large files for stories, each made once, and what is needed to see how they are sent."""
from contextlib import contextmanager
from pathlib import Path

from .stories import MUSIC, run


def made(stage, name, *arguments):
    """A file that ffmpeg makes."""
    path = stage.folder / "files" / name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        run("ffmpeg", "-v", "error", "-y", *arguments, path)
    return path


def looped(stage, name, seconds, *options, song="cold-day.ogg"):
    """A song again and again, for so many seconds."""
    return made(stage, name, "-stream_loop", "-1", "-i", MUSIC / song, "-t", seconds, "-ar", "48000", "-ac", "2", *options)


def long_wave(stage):
    """A recording of 70 MB."""
    return looped(stage, "long.wav", 370, "-c:a", "pcm_s16le")


def foreign(stage, seconds):
    """A recording that no browser plays and no page cuts: 192 kB for each second."""
    return looped(stage, f"tape {seconds}.w64", seconds, "-c:a", "pcm_s16le", "-f", "w64")


def film(stage):
    """A film whose description stands at its end."""
    return made(stage, "film.mp4", "-f", "lavfi", "-i", "nullsrc=s=160x120:r=12,geq=random(1)*255:128:128", "-stream_loop", "-1", "-i", MUSIC / "warm-ink.ogg",
                "-t", "90", "-c:v", "mpeg4", "-b:v", "2M", "-c:a", "aac")


def endless(stage):
    """A recording of 3 GB that takes little room on the disk: music, and then silence."""
    path = stage.folder / "files" / "endless.wav"
    if not path.exists():
        begin = bytearray(looped(stage, "begin.wav", 60, "-c:a", "pcm_s16le", "-bitexact", "-map_metadata", "-1").read_bytes())
        at = begin.index(b"data") + 4
        begin[at:at + 4] = (3_000_000_000).to_bytes(4, "little")
        with open(path, "wb") as file:
            file.write(begin)
            file.truncate(3_000_000_000)
    return path


def watch_uploads(browser):
    """From now on `uploads` gives how many bytes each request carries."""
    browser.script("""
        window.uploads = [];
        const send = XMLHttpRequest.prototype.send;
        XMLHttpRequest.prototype.send = function (body) { uploads.push(body?.size ?? 0); return send.call(this, body); };""")


def uploads(browser):
    return browser.script("return window.uploads")


@contextmanager
def slow_upload(browser, bytes_per_second):
    """The connection of the page takes so much."""
    def limit(rate):
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate})

    browser.driver.execute_cdp_cmd("Network.enable", {})
    limit(bytes_per_second)
    try:
        yield
    finally:
        limit(-1)


def memory(browser):
    """The bytes that the processes of the browser have of their own."""
    own, parents = 0, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    family = {browser.driver.service.process.pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    for process in family:
        try:
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
        except OSError:
            continue
        own += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))
    return own
