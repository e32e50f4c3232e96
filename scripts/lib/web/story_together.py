"""Two people at once, and pages that are loaded again while the service works for them."""
import time

from .stories import MUSIC, Browser, run, story
from .story_admin import restart
from .story_companion import PATH, prepare
from .story_library import audio, opened, plays, rescan, tagged
from .story_stations import recorded
from .story_tracklist import mix, short


def second(browser, microphone, person=None):
    """Another person's browser, signed in where a name is given."""
    other = Browser(browser.stage, "phone" if browser.width == "desk" else "desk", microphone)
    if person:
        other.sign_in(person)
    return other


@story("tracklist", "two people drop their mixes at the same time, and each sees their own list", microphone=None, widths=("desk",))
def tracklists(browser):
    other = second(browser, None)
    try:
        for one, path in ((browser, short(browser)), (other, mix(browser, "other mix.ogg", (MUSIC / "snodom.ogg", 5, 30), (MUSIC / "win-game.ogg", 6, 30)))):
            one.open("/tracklist")
            one.sees("Drop a recording here")
            one.choose_file("#app input[type=file]", path)
        for one, titles in ((other, ["Snodom", "Win Game"]), (browser, ["Warm Ink", "Cold Day"])):
            one.wait(lambda: one.has("ol.tracks li"), "the tracklist", 60)
            for title in titles:
                one.find("ol.tracks li", title)
        assert not browser.has("ol.tracks li", "Snodom") and not other.has("ol.tracks li", "Cold Day")
        assert browser.path != other.path
        other.check()
    finally:
        other.close()


@story("companion", "two people follow two recordings at the same time, and each answers their own question", widths=("desk",))
def companions(browser):
    prepare(browser, {"entries": [{"id": "cold", "title": "Who is cold?", "start": 0, "end": 100, "answerRange": [0, 100], "requiresAnswer": True}]})
    status, told, _ = browser.service.ask("PUT", "/v1/references/Music%2Fwarm-ink.ogg/content", browser.service.admin, {
        "entries": [{"id": "warm", "title": "Who is warm?", "start": 0, "end": 100, "answerRange": [0, 100], "requiresAnswer": True}]})
    assert status == 200, told
    other = second(browser, "other")
    try:
        for one in (browser, other):
            one.open("/companion")
            one.click("button.listen")
        for one, words in ((browser, "Who is cold?"), (other, "Who is warm?")):
            one.wait(lambda: one.has("form.question", words), words, 30)
            one.type("form.question input", words[-5:])
            one.click("form.question button")
            one.sees("Your answer:")
        assert browser.path == f"/companion/{PATH}" and "warm-ink" in other.path
        assert "warm" not in browser.text("form.question, .now") and not other.has(".now h2", "Cold Day")
        other.check()
    finally:
        other.close()
        browser.service.ask("DELETE", "/v1/references/Music%2Fwarm-ink.ogg/content", browser.service.admin)


@story("admin", "two operators work at the same time: each sees what the other one did, and neither loses a change", person="operator", microphone=None, widths=("desk",))
def operators(browser):
    client = browser.service.client(name="Shared <b>client</b>")
    other = second(browser, None, "operator")
    try:
        browser.open("/admin")
        browser.find(".tiles")
        other.open(f"/admin/clients/{client['id']}")
        other.find("h2", "Shared")
        other.type("input[type=number]", "9")
        other.click("form button", "Save")
        other.sees("is saved")
        # The overview follows without being loaded again.
        token = browser.service.token(browser.service.client(name=f"Together {time.time_ns()}"))
        for _ in range(2):
            assert browser.service.ask("POST", "/v1/recognitions", token, (MUSIC / "cold-day.ogg").read_bytes(), "audio/ogg")[0] == 200
        browser.wait(lambda: "Median of" in browser.text(".tiles"), "the recognitions", 25)
        browser.open(f"/admin/clients/{client['id']}")
        browser.find("h2", "Shared")
        assert browser.find("input[type=number]").get_attribute("value") == "9"
        browser.click("button", "Remove the client")
        browser.click("dialog[open] button[value=yes]")
        browser.wait(lambda: browser.path == "/admin/clients", "the list")
        other.type("input[type=number]", "5")
        other.click("form button", "Save")
        other.find(".fault", "does not exist")
        other.check(("404",))
        browser.open("/admin/audit")
        browser.find("tbody tr", "removeClient")
        browser.find("tbody tr", "changeClient")
    finally:
        other.close()


@story("stations", "two people watch the same stations; the service is started again under both, and both go on", person="operator", microphone=None, widths=("desk",),
       expected=("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "503"))
def walls(browser):
    recorded(browser)
    other = second(browser, None, "operator")
    try:
        for one in (browser, other):
            one.open("/stations")
            one.find(".station h2", "Harbour FM")
        port = browser.service.port
        browser.service.stop()
        for one in (browser, other):
            one.sees("The service cannot be reached. The page shows")
        browser.service.start(port)
        for one in (browser, other):
            one.wait(lambda: not one.has(".fault"), "the page to recover", 40)
            one.find(".station h2", "Harbour FM")
        other.click(".station h2 a", "Harbour FM")
        other.find("#section h2", "Harbour FM")
        assert browser.has(".station h2", "Channel Seven")
        other.check(("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "503"))
    finally:
        other.close()


@story("admin-music", "the page is loaded again while a table is imported, and goes on with it", person="operator", microphone=None, expected=("net::ERR", "Failed to load"))
def imports(browser):
    table = browser.downloads / f"many-{browser.width}.csv"
    table.write_text("title,artist,album,year\n" + "".join(f"Row {n} {browser.width},Nobody,Rows {n // 12},1999\n" for n in range(12_000)))
    browser.open("/admin/music")
    browser.choose_file(".drop input[type=file]", table)
    browser.wait(lambda: browser.script("return sessionStorage.getItem('earshot-music-jobs')?.includes('many-')"), "the job", 30)
    browser.reload()
    browser.find(".sends li", table.name)
    browser.wait(lambda: browser.has(".sends progress") or browser.has(".sends a", "Report"), "the import goes on")
    is_running = browser.has(".sends progress")
    assert not browser.has("main", "were not sent before the page"), "it is asked for once more"
    restart(browser)
    browser.wait(lambda: browser.has(".sends a", "Report"), "the end of the import", 120)
    browser.note(f"the import was {'under way' if is_running else 'over'} after the reload")
    assert browser.script("return JSON.parse(sessionStorage.getItem('earshot-music-jobs') ?? '[]').length") == 0
    browser.click(".sends a", "Report")
    browser.find("h2", "Report")
    browser.sees("12,001")


@story("library", "the page is loaded again while a folder is measured, and goes on with it", person="operator", microphone=None)
def measures(browser):
    tagged(browser)
    folder = browser.stage.media / f"Slow {browser.width}"
    if not folder.exists():
        folder.mkdir()
        for n in range(3):
            run("ffmpeg", "-v", "error", "-y", "-stream_loop", 2, "-i", MUSIC / "win-game.ogg", "-map_metadata", "-1", "-vn", "-b:a", "96k", "-metadata", f"title=Slow {n}",
                "-metadata", "artist=Snails", "-metadata", f"album=Slow {browser.width}", "-metadata", f"track={n + 1}", folder / f"{n}.mp3")
        rescan(browser)
    opened(browser)
    browser.click(f"button[aria-label='Play Slow {browser.width}']")
    plays(browser, "Slow 0")
    browser.click("button", "Measure now")
    browser.find(".facts progress")
    browser.reload()
    browser.find("#now", "Slow 0")
    browser.find(".facts progress")
    assert not browser.has("button", "Measure now"), "it is asked for once more"
    browser.wait(lambda: browser.has(".facts dt", "Loudness"), "the loudness", 180)
    browser.wait(lambda: not browser.has(".facts progress"), "the end", 180)
    assert not browser.script("return sessionStorage.getItem('library-run')")
    assert audio(browser, "paused"), "it makes a sound after the reload"
