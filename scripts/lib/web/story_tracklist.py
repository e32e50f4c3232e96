"""Tracklists of mixes."""
import json
import time

from .long_files import endless, foreign, slow_upload, uploads, watch_uploads
from .stories import MUSIC, ROOT, run, story

UNKNOWN = ROOT / "Samples/Unknown/geoscape-theme-1.ogg"


def mix(browser, name, *parts, repeat=1):
    """A recording of parts (song, begin, seconds), one behind the other, made once."""
    path = browser.stage.folder / name
    if not path.exists():
        inputs = [argument for song, begin, seconds in parts for argument in ("-ss", begin, "-t", seconds, "-i", song)]
        chain = "".join(f"[{i}:a]aresample=44100,aformat=channel_layouts=mono[a{i}];" for i in range(len(parts)))
        chain += "".join(f"[a{i}]" for i in range(len(parts))) + f"concat=n={len(parts)}:v=0:a=1[out]"
        once = path.with_name(f"once-{path.stem}.wav") if repeat > 1 else path
        run("ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", chain, "-map", "[out]", once)
        if repeat > 1:
            run("ffmpeg", "-v", "error", "-y", "-stream_loop", repeat - 1, "-i", once, path)
    return path


def short(browser):
    return mix(browser, "evening mix.ogg", (MUSIC / "warm-ink.ogg", 5, 30), (UNKNOWN, 5, 15), (MUSIC / "cold-day.ogg", 6, 30))


def long(browser):
    return mix(browser, "long mix.mp3", (MUSIC / "warm-ink.ogg", 5, 30), (UNKNOWN, 5, 15), (MUSIC / "cold-day.ogg", 6, 30), repeat=30)


def made(browser, path=None):
    """Drops a mix, and waits until its list is there."""
    path = path or short(browser)
    browser.open("/tracklist")
    browser.choose_file("#app input[type=file]", path)
    browser.wait(lambda: browser.has("ol.tracks li"), "the tracklist", 60)
    return path


@story("tracklist", "a visitor drops a mix, and sees what is played and where nothing is known", microphone=None)
def visitor(browser):
    made(browser)
    assert "?job=" in browser.path
    rows = [row.text for row in browser.all("ol.tracks li")]
    assert len(rows) == 3, rows
    assert "Warm Ink" in rows[0] and "Unknown" in rows[1] and "Cold Day" in rows[2], rows
    browser.sees("Tracks: 2")
    assert browser.find("canvas.timeline").get_attribute("aria-label").startswith("Timeline of 1:1")


@story("tracklist", "a person plays a line, and the line that is heard is marked", microphone=None)
def plays(browser):
    made(browser)
    browser.wait(lambda: browser.script("return document.querySelector('audio')?.duration > 70"), "the recording")
    browser.click("button[aria-label^='Play Cold Day']")
    browser.wait(lambda: browser.script("return document.querySelector('audio').currentTime > 44 && !document.querySelector('audio').paused"), "playing")
    browser.find("ol.tracks li[aria-current]", "Cold Day")
    # A click on the timeline leads there too.
    browser.script("""
        const canvas = document.querySelector('canvas.timeline'), box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new MouseEvent('click', { clientX: box.left + 5, clientY: box.top + 10, bubbles: true }))""")
    browser.wait(lambda: browser.script("return document.querySelector('audio').currentTime < 20"), "the begin")
    browser.find("ol.tracks li[aria-current]", "Warm Ink")
    browser.script("document.querySelector('audio').pause()")


@story("tracklist", "after the page was loaded again the list is there, and the file is asked for to play", microphone=None)
def reload(browser):
    path = made(browser)
    address = browser.path
    browser.reload()
    browser.wait(lambda: browser.has("ol.tracks li", "Cold Day"), "the tracklist again")
    assert browser.path == address
    browser.sees("To listen, drop or choose evening mix.ogg again")
    browser.choose_file("#app input[type=file]", path)
    browser.wait(lambda: browser.script("return document.querySelector('audio')?.duration > 70"), "the recording")
    browser.driver.back()
    browser.sees("Drop a recording here")


@story("tracklist", "the page is loaded again, and the service started again, while a long mix is searched", microphone=None,
       expected=("Failed to load resource", "ERR_", "net::"))
def restart(browser):
    path = long(browser)
    browser.open("/tracklist")
    browser.choose_file("#app input[type=file]", path)
    browser.wait(lambda: "?job=" in browser.path, "the job", 60)
    browser.reload()
    browser.wait(lambda: browser.has("progress") or browser.has("ol.tracks li"), "the progress", 30)
    browser.service.stop()
    time.sleep(1)
    browser.service.start(browser.service.port)
    browser.wait(lambda: browser.has("ol.tracks li"), "the tracklist", 180)
    assert len(browser.all("ol.tracks li")) > 60
    if browser.width == "phone":
        assert browser.script("return document.querySelector('canvas.timeline').clientHeight") > 120, "half an hour is one line"


@story("tracklist", "a visitor saves the list as a cue sheet, a table and JSON", microphone=None)
def saves(browser):
    made(browser)
    for label, suffix in [("Cue sheet", "cue"), ("Table", "csv"), ("JSON", "json")]:
        browser.click("button", label)
        text = browser.downloaded(f"evening mix.{suffix}").read_text()
        assert "Warm Ink" in text, text
    assert browser.downloaded("*.cue").read_text().startswith('REM COMMENT "earshot tracklist"\nFILE "evening mix.ogg" WAVE\n  TRACK 01 AUDIO')
    assert [entry["title"] for entry in json.loads(browser.downloaded("*.json").read_text())["matches"]] == ["Warm Ink", "Cold Day"]


@story("tracklist", "a person who has signed in finds the list again, nobody else sees it, and it is removed", microphone=None, person="dj",
       expected=("404",))
def owner(browser):
    made(browser)
    address = browser.path
    browser.open("/tracklist")
    browser.click("main a", "evening mix.ogg")
    browser.find("ol.tracks li", "Warm Ink")
    browser.click(".who button")
    browser.find(".who a[href^='/sign-in']")
    browser.open(address)
    browser.sees("This tracklist does not exist")
    browser.open("/sign-in")
    browser.type("input[name=name]", "dj")
    browser.type("input[name=password]", "correct horse battery")
    browser.click("button[value=login]")
    browser.find("form[action='/sign-out']")
    browser.open(address)
    browser.script("window.confirm = () => true")
    browser.click("button.danger")
    browser.sees("Drop a recording here")
    browser.open(address)
    browser.sees("This tracklist does not exist")


@story("tracklist", "a file without sound is refused in words that help", microphone=None)
def noSound(browser):
    path = browser.stage.folder / "letter.mp3"
    path.write_text("no sound " * 500)
    browser.open("/tracklist")
    browser.choose_file("#app input[type=file]", path)
    browser.find(".fault", "audio of this file")
    browser.click("main a", "Another recording")
    browser.sees("Drop a recording here")


@story("tracklist", "titles and file names full of markup stay text", microphone=None)
def markup(browser):
    status, told, _ = browser.service.ask("PUT", "/v1/references/evil-track?trackID=evil", browser.service.admin, UNKNOWN.read_bytes(), "audio/ogg")
    assert status in (200, 201), told
    try:
        path = mix(browser, "<img src=x onerror=alert(3)>.ogg", (UNKNOWN, 3, 30), (MUSIC / "win-game.ogg", 5, 20))
        made(browser, path)
        browser.find("ol.tracks li", "<script>alert(1)</script>")
        browser.find("h2", "<img src=x onerror=alert(3)>")
        assert not browser.all("main img"), "markup became a picture"
    finally:
        browser.service.ask("DELETE", "/v1/references/evil-track", browser.service.admin)


@story("tracklist", "canceling ends an upload at once, and the same recording can be sent again", microphone=None)
def cancels_upload(browser):
    path = foreign(browser.stage, 60)
    browser.open("/tracklist")
    browser.sees("Drop a recording here")
    with slow_upload(browser, 100_000):
        browser.choose_file("#app input[type=file]", path)
        browser.find("h2", "tape 60.w64")
        browser.wait(lambda: 0 < float(browser.find("progress").get_attribute("value")) < 1, "progress")
        browser.sees(" of 11.5 MB")
        browser.click("button", "Cancel")
        browser.wait(lambda: "Drop a recording here" in browser.text(), "the page at rest", 2)
        # Going back in the browser ends it as well.
        browser.script("history.pushState(null, '', '/tracklist?again')")
        browser.choose_file("#app input[type=file]", path)
        browser.find("h2", "tape 60.w64")
        browser.driver.back()
        browser.sees("Drop a recording here")
    assert browser.path == "/tracklist", browser.path
    browser.choose_file("#app input[type=file]", path)
    browser.wait(lambda: browser.has("ol.tracks li", "Cold Day"), "the tracklist", 60)


@story("tracklist", "a recording larger than the service takes is refused before it is sent", microphone=None)
def too_large(browser):
    browser.open("/tracklist")
    browser.sees("Drop a recording here")
    watch_uploads(browser)
    browser.choose_file("#app input[type=file]", endless(browser.stage))
    browser.find(".fault", "endless.wav has 3 GB. The service takes 1.1 GB at most.")
    browser.find(".fault", "Save it as MP3")
    assert not uploads(browser), "it was sent"
    browser.sees("Drop a recording here")
