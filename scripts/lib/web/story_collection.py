"""Albums of a folder."""
import json
import os
import random
import shutil
import subprocess
import time

from .long_files import endless, memory
from .stories import EARSHOT, MUSIC, ROOT, requirements, run, story

EVIL = "<img src=x onerror=alert(1)><b>b</b>"


def music(stage, name, files):
    """A folder with music: each file is (path, song, tags, options)."""
    folder = stage.folder / "collections" / name
    if not folder.exists():
        for path, song, tags, *options in files:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            source = ["-i", MUSIC / song] if song else ["-f", "lavfi", "-i", "anoisesrc=c=pink:a=0.2:d=30:seed=3"]
            run("ffmpeg", "-v", "error", "-y", *source, "-vn", "-map_metadata", "-1",
                *[o for k, v in tags.items() for o in ("-metadata", f"{k}={v}")], *options, target)
    return folder


def sketches(stage):
    """Two of the three tracks of an album, one of them without tags; one of another; and one that is nothing."""
    return music(stage, "Mine", [
        ("Sketches/01 Cold Day.flac", "cold-day.ogg", {"title": "Cold Day", "artist": "Paul Shuler (Macroform)", "album": "Sketches"}),
        ("Sketches/02.mp3", "snodom.ogg", {}, "-b:a", "128k"),
        ("Ink/x.m4a", "warm-ink.ogg", {"title": "Warm Ink", "artist": "_ghost"}, "-c:a", "aac"),
        ("noise.ogg", None, {}),
        *[(f"Roads/{n}.mp3", None, {"title": f"Many Roads {n}", "artist": "The Many", "album": "Many Roads"}, "-t", "12") for n in range(1, 7)],
        ("notes.txt.ogg", "main-screen.ogg", {"title": "Main Screen", "artist": "Sindre Froyn", "album": "Ink"}),
    ])


def chosen(browser, folder):
    browser.open("/collection")
    browser.choose_file("input[webkitdirectory]", folder)


def proposed(browser, patience=90):
    browser.wait(lambda: browser.has("#result h2"), "the proposal", patience)


def requests(browser):
    """The requests to the service since the log was last read: (path, method, begin, end)."""
    begun, done = {}, []
    for entry in browser.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        parameters = message["params"]
        if message["method"] == "Network.requestWillBeSent" and "/v1/" in parameters["request"]["url"]:
            begun[parameters["requestId"]] = (parameters["request"]["url"].removeprefix(browser.service.base), parameters["request"]["method"], parameters["timestamp"])
        elif message["method"] in ("Network.loadingFinished", "Network.loadingFailed") and parameters["requestId"] in begun:
            done.append((*begun.pop(parameters["requestId"]), parameters["timestamp"]))
    return done


def most_at_once(asked):
    events = sorted([(begin, 1) for *_, begin, _ in asked] + [(end, -1) for *_, end in asked])
    most = now = 0
    for _, step in events:
        now += step
        most = max(most, now)
    return most


@story("collection", "a folder becomes albums with holes; the accepted plan is written by the command")
@requirements("R-MC-110", "R-MC-113", "R-MC-215")
def folder(browser):
    source = sketches(browser.stage)
    chosen(browser, source)
    proposed(browser)
    asked = requests(browser)
    assert most_at_once(asked) <= 5, most_at_once(asked)
    for kind in ("?coverArt", "/tracks"):
        paths = [path for path, *_ in asked if path.startswith("/v1/albums/") and kind in path]
        assert paths and len(paths) == len(set(paths)), paths
    runs = [(begin, end) for path, _, begin, end in asked if path.startswith("/v1/albums/identifications")]
    assert len(runs) >= 2 and all(one[1] <= other[0] for one, other in zip(sorted(runs), sorted(runs)[1:])), runs
    browser.find(".proposal h3", "Sketches")
    browser.find(".proposal h3", "Many Roads")
    browser.find(".hole", "Win Game")
    browser.find(".proposal h3", "Unknown files: 1")
    browser.sees("Missing tracks: 1")
    browser.click(".file summary", "Why")
    browser.find(".file details[open] li")
    # One that is not known gets its tags by hand.
    unknown = [row for row in browser.all(".file") if "noise.ogg" in row.text][0]
    unknown.find_element("css selector", "button").click()
    unknown.find_element("css selector", ".fields input").send_keys("Rain")
    browser.wait(lambda: "Rain" in unknown.text and unknown.find_element("css selector", "input[type=checkbox]").is_selected(), "it is accepted")
    browser.click("button", "Download the plan")
    plan = browser.downloaded("*.json")
    told = json.loads(plan.read_text())
    assert told["format"] == "earshot-library-plan" and told["folder"] == "Mine", told
    wanted = {file["file"]: file for file in told["files"]}
    assert wanted["Sketches/02.mp3"]["title"] == "Snodom" and wanted["Sketches/02.mp3"]["album"] == "Sketches", wanted
    copy = browser.stage.folder / f"copy-{browser.width}"
    shutil.copytree(source, copy)
    environment = {"HOME": str(browser.stage.folder), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([EARSHOT, "library", "apply", plan, copy, "--write"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    tags = json.loads(run("ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", copy / "Sketches/02.mp3"))["format"]["tags"]
    assert tags["title"] == "Snodom" and tags["album"] == "Sketches", tags


@story("collection", "albums are changed, left and accepted, and a reload shows the proposal as it was left")
def changes(browser):
    chosen(browser, sketches(browser.stage))
    proposed(browser)
    browser.click(".proposal button", "Change the album")
    field = browser.find(".proposal .fields input")
    field.clear()
    field.send_keys("My Sketches")
    browser.click(".proposal button", "Accept all")
    before = browser.text("[role=status].row")
    time.sleep(0.8)
    browser.reload()
    proposed(browser)
    assert browser.text("[role=status].row") == before
    browser.click("button", "Download the plan")
    albums = {file.get("album") for file in json.loads(browser.downloaded("*.json").read_text())["files"]}
    assert "My Sketches" in albums, albums
    browser.click(".proposal button", "Reject all")
    browser.wait(lambda: browser.text("[role=status].row") != before, "fewer are accepted")
    browser.click("button", "Start over")
    browser.find(".drop")


def slowly(browser, rate):
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": rate})


@story("collection", "a reload in the middle goes on with what was read, and the requests never are more than five")
@requirements("R-MC-216")
def reload(browser):
    many = music(browser.stage, "Many", [(f"Folder/{n:02d}.mp3", song, {"title": f"Part {n}", "album": "Many"}, "-ss", str(n), "-t", "30")
                                         for n, song in enumerate(["cold-day.ogg", "warm-ink.ogg", "snodom.ogg", "win-game.ogg"] * 4)])
    browser.open("/collection")
    slowly(browser, 700_000)
    browser.choose_file("input[webkitdirectory]", many)
    browser.wait(lambda: browser.has("#app p", "Listening: ") and int(browser.text("#app section p").split("Listening: ")[1].split()[0]) >= 6, "some are heard", 60)
    time.sleep(0.6)
    asked = [entry for entry in requests(browser) if entry[0] == "/v1/signatures"]
    assert most_at_once(asked) <= 5
    browser.reload()
    browser.sees("was not finished")
    slowly(browser, -1)
    browser.choose_file("input[webkitdirectory]", many)
    proposed(browser)
    later = [entry for entry in requests(browser) if entry[0] == "/v1/signatures"]
    assert 0 < len(later) <= 16 - 6, len(later)


@story("collection", "a service that is away is told of, and the run goes on when it is back", expected=("Failed to load resource", "net::ERR"))
def restart(browser):
    browser.open("/collection")
    port = browser.service.port
    browser.service.stop()
    browser.choose_file("input[webkitdirectory]", sketches(browser.stage))
    browser.find(".fault", "cannot be reached")
    browser.service.start(port)
    browser.click(".fault button", "Try again")
    proposed(browser)
    browser.find(".proposal h3", "Sketches")


@story("collection", "markup in tags, file names and folders is text")
def markup(browser):
    folder = music(browser.stage, "Bad", [(f"<b>folder<b>/{n} <img src=x>.mp3", "main-screen.ogg", {"title": EVIL, "artist": EVIL, "album": EVIL}, "-t", "25") for n in range(3)])
    chosen(browser, folder)
    proposed(browser)
    browser.sees("<img src=x>.mp3")
    assert not browser.driver.find_elements("css selector", "main b, main img[src=x]")


@story("collection", "damaged and hostile files end the reading of tags, and never the page", widths=("desk",))
def damaged(browser):
    browser.open("/collection")
    rounds, found = 0, 0
    random.seed(7)
    fixtures = ROOT / "Tests/EarshotMediaTests/Fixtures"
    cases = [(name, (fixtures / name).read_bytes()) for name in ("tagged.mp3", "tagged.m4a", "tagged.ogg", "chirp.opus", "chirp.flac", "chirp.oga")]
    for name, whole in cases:
        told = read(browser, whole)
        if name.startswith("tagged"):
            assert told["tags"]["album"] == "テストの歌" and told["tags"]["trackNumber"] == 3 and told["tags"]["trackCount"] == 12, told
        for _ in range(25):
            data = bytearray(whole[:random.randrange(20, len(whole))] if random.random() < 0.4 else whole)
            for _ in range(random.choice([1, 4, 40])):
                data[random.randrange(min(len(data), 3000))] = random.choice([0, 1, 127, 128, 255, random.randrange(256)])
            told = read(browser, bytes(data))
            assert told["milliseconds"] < 1500, (name, told)
            assert set(told["tags"]) <= {"title", "artist", "album", "albumArtist", "date", "trackNumber", "trackCount", "discNumber", "discCount"}, told
            assert all(len(str(value)) <= 500 for value in told["tags"].values()), told
            rounds += 1
            found += bool(told["tags"])
    for data in [b"", b"ID3", b"ID3\x04\x00\x00\x7f\x7f\x7f\x7f" + b"TIT2\x7f\x7f\x7f\x7f\x00\x00", b"fLaC\x04\xff\xff\xff" + b"\xff" * 40, b"OggS" + b"\xff" * 60,
                 b"\x00\x00\x00\x00ftyp", b"\x00\x00\x00\x01ftypM4A " + b"\xff" * 16, b"\x00\x00\x00\x08ftyp" + b"\x00\x00\x00\x00moov" * 500]:
        assert read(browser, data)["milliseconds"] < 1500
    assert rounds == 150 and found > 30, (rounds, found)


def read(browser, data):
    import base64
    return browser.driver.execute_async_script("""
        const [data, done] = arguments;
        const address = new URL('./tags.js', document.querySelector('script[type=module]').src);
        import(address).then(async ({ readTags, clip }) => {
          const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
          const begin = performance.now();
          const found = await readTags(new Blob([bytes]));
          clip(new Blob([bytes]), found);
          done({ tags: found.tags, fault: found.fault ?? null, milliseconds: performance.now() - begin });
        }).catch((error) => done({ tags: {}, milliseconds: 1e9, fault: String(error) }));""", base64.b64encode(data).decode())


@story("collection", "a folder with a recording of 3 GB is looked at without reading it into memory", widths=("desk",))
def endless_recording(browser):
    folder = music(browser.stage, "Large", [("cold day.flac", "cold-day.ogg", {"title": "Cold Day", "artist": "Paul Shuler (Macroform)"})])
    if not (folder / "endless.wav").exists():
        os.link(endless(browser.stage), folder / "endless.wav")
    browser.open("/collection")
    browser.find("input[webkitdirectory], label")
    before = memory(browser)
    browser.choose_file("input[webkitdirectory]", folder)
    proposed(browser)
    grown = memory(browser) - before
    browser.note(f"the browser's memory grew by {grown / 1e6:.0f} MB")
    assert grown < 300_000_000, grown
