"""What was recognized, kept for who has signed in."""
import json
import time
from urllib.parse import quote

from .stories import MUSIC, Browser, requirements, run, story

VIENNA = {"latitude": 48.2082, "longitude": 16.3738, "accuracy": 25}


def recognize(browser, path):
    """Recognizes a file as a page of the browser does, without its waiting."""
    cookies = "; ".join(f"{c['name']}={c['value']}" for c in browser.driver.get_cookies())
    mark = browser.service.ask("GET", "/session", headers={"Cookie": cookies})[1]["mark"]
    status, told, _ = browser.service.ask("POST", "/v1/recognitions?kind=stream", body=path.read_bytes(), kind="application/octet-stream",
                                          headers={"Cookie": cookies, "X-Earshot-Page": mark})
    assert status == 200 and told["matches"], (status, told)
    return told


def begin(browser, songs=()):
    """The history of a person of this story alone: with songs, the last one the latest."""
    browser.sign_in(f"h{time.time_ns() % 10**12}")
    for song in songs:
        recognize(browser, MUSIC / f"{song}.ogg")


def names(browser):
    return [item.text.split("\n")[0] for item in browser.all("#entries li.entry")]


def allow(browser, setting, place=VIENNA):
    browser.driver.execute_cdp_cmd("Browser.setPermission", {"permission": {"name": "geolocation"}, "setting": setting, "origin": browser.service.base})
    if place:
        browser.driver.execute_cdp_cmd("Emulation.setGeolocationOverride", place)


@story("history", "a visitor is invited to sign in, and comes back to the history")
def visitor(browser):
    browser.open("/history")
    browser.find("h2", "Sign in to keep a history")
    browser.click("main a.button", "Sign in")
    browser.type("input[name=name]", f"v{time.time_ns() % 10**12}")
    browser.type("input[name=password]", "correct horse battery")
    browser.click("button[value=create]")
    browser.find("h2", "Nothing recognized yet")
    assert browser.path == "/history"


@story("history", "what was recognized is kept with the place that the browser tells; a reload shows it, and it can be forgotten")
@requirements("R-MC-227", "R-MC-235")
def place(browser):
    begin(browser)
    allow(browser, "granted")
    browser.open("/")
    assert not browser.find(".place-switch input").is_selected(), "places are kept without having been asked for"
    browser.click(".place-switch input")
    browser.wait(lambda: browser.find(".place-switch input").is_selected() and browser.find(".place-switch input").is_enabled(), "the switch on")
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    browser.sees("Kept in your history, with the place.")
    browser.open("/history")
    for _ in range(2):
        browser.find("#entries a", "Cold Day")
        browser.sees("48.2082° N, 16.3738° E", ".place")
        browser.wait(lambda: browser.script("return document.querySelector('#entries img')?.naturalWidth > 0"), "the cover")
        assert browser.find(".place-switch input").is_selected()
        browser.reload()
    assert browser.find(".place a").get_attribute("href").startswith("https://www.openstreetmap.org/")
    browser.click("button", "Remove the place")
    browser.gone(".place")
    browser.reload()
    browser.find("#entries a", "Cold Day")
    assert not browser.has(".place")
    browser.click("button", "Add the place")
    browser.sees("48.2082° N", ".place")


@story("history", "without leave for the place everything is kept without one, and nothing fails")
@requirements("R-MC-235")
def refused(browser):
    begin(browser)
    allow(browser, "denied", None)
    browser.open("/")
    browser.click(".place-switch input")
    browser.sees("The browser does not share your location")
    assert not browser.find(".place-switch input").is_selected()
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    browser.sees("Kept in your history.")
    browser.open("/history")
    browser.find("#entries a", "Cold Day")
    assert not browser.has(".place") and not browser.has(".fault")


@story("history", "a long history is read by pages, each with an address, and searched")
def pages(browser):
    begin(browser, ["warm-ink"] * 12 + ["cold-day"] * 12)
    browser.open("/history")
    browser.sees("1 to 20 of 24")
    browser.click("a[rel=next]")
    browser.sees("21 to 24 of 24")
    assert browser.path == "/history?offset=20", browser.path
    browser.reload()
    browser.sees("21 to 24 of 24")
    browser.driver.back()
    browser.sees("1 to 20 of 24")
    browser.type("input[name=q]", "GHOST ink\n")
    browser.sees("1 to 12 of 12")
    assert set(names(browser)) == {"Warm Ink"} and browser.path == "/history?q=GHOST+ink"
    browser.reload()
    browser.sees("1 to 12 of 12")
    browser.type("input[name=q]", "nothing of this kind\n")
    browser.find("h2", "No entry contains “nothing of this kind”")
    browser.click("main a", "Show all")
    browser.sees("1 to 20 of 24")


@story("history", "one entry is removed after a question, and then the whole history")
def removes(browser):
    begin(browser, ["warm-ink", "cold-day", "snodom"])
    browser.open("/history")
    browser.wait(lambda: names(browser) == ["Snodom", "Cold Day", "Warm Ink"], "three entries")
    browser.click(".entry:nth-child(2) button", "Remove")
    browser.sees("Remove this entry?")
    browser.click("button", "Keep")
    assert len(names(browser)) == 3
    browser.click(".entry:nth-child(2) button", "Remove")
    browser.click("button.danger.small", "Remove")
    browser.wait(lambda: names(browser) == ["Snodom", "Warm Ink"], "one removed")
    browser.reload()
    browser.wait(lambda: names(browser) == ["Snodom", "Warm Ink"], "one stays removed")
    browser.click("button", "Remove all")
    browser.sees("all 2 entries", "dialog")
    browser.click("dialog button", "Keep")
    assert len(names(browser)) == 2
    browser.click("button", "Remove all")
    browser.click("dialog button.danger")
    browser.find("h2", "Nothing recognized yet")
    browser.reload()
    browser.find("h2", "Nothing recognized yet")


@story("history", "the history is downloaded as ListenBrainz takes it, and as a whole")
def downloads(browser):
    begin(browser, ["warm-ink", "cold-day"])
    browser.open("/history")
    browser.click("a", "For ListenBrainz")
    listens = json.loads(browser.downloaded("earshot-listenbrainz-*.jsonl").read_text())
    assert listens["listen_type"] == "import" and len(listens["payload"]) == 2, listens
    assert {l["track_metadata"]["track_name"] for l in listens["payload"]} == {"Warm Ink", "Cold Day"}
    browser.click("a", "Complete history")
    assert len(json.loads(browser.downloaded("earshot-json-*.json").read_text())["entries"]) == 2


@story("history", "the service is restarted under the history, and the history goes on", expected=("ERR_CONNECTION", "net::ERR"))
def restart(browser):
    begin(browser, ["warm-ink", "cold-day"])
    browser.open("/history")
    browser.find("#entries a", "Cold Day")
    port = browser.service.port
    browser.service.stop()
    browser.type("input[name=q]", "ink\n")
    browser.sees("The service cannot be reached", ".fault")
    browser.service.start(port)
    browser.click(".fault button", "Try again")
    browser.wait(lambda: names(browser) == ["Warm Ink"], "the one entry")


@story("history", "a title full of markup stays text, and two people see their own entries only")
def others(browser):
    wave = browser.stage.folder / "evil.wav"
    if not wave.exists():
        run("ffmpeg", "-v", "error", "-y", "-i", MUSIC / "warm-ink.ogg", "-af", "areverse,asetrate=52000,aresample=16000", "-t", "40", "-ac", "1", wave)
    title = quote("<img src=x onerror=alert(1)><b>Evil</b>")
    status, told, _ = browser.service.ask("POST", f"/v1/references?title={title}&artist=%3Ci%3ENobody", browser.service.admin, wave.read_bytes(), "audio/wav")
    assert status in (200, 201, 409), told
    begin(browser)
    recognize(browser, wave)
    browser.open("/history")
    browser.sees("<img src=x onerror=alert(1)><b>Evil</b>", "#entries")
    assert not browser.script("return document.querySelectorAll('#entries b, #entries img[src=x]').length")
    second = Browser(browser.stage, browser.width, None)
    try:
        begin(second, ["cold-day"])
        second.open("/history")
        second.wait(lambda: names(second) == ["Cold Day"], "the other person's entry")
        browser.reload()
        browser.sees("1 to 1 of 1")
        second.check()
    finally:
        second.close()
