"""Several matches to one recording, the words in step, and what the first page tells while it listens."""
from urllib.parse import parse_qs, quote, urlparse

from local_service import Service

from .stories import MUSIC, requirements, run, story

EVIL = "<b>bold</b> & '<img src=x onerror=alert(7)>'"


class Alike:
    """A service of its own that knows three recordings of one piece of music, and one whose words are full of markup."""

    def __init__(self, stage):
        self.folder = stage.folder / "alike"
        data = self.folder / "data"
        data.mkdir(parents=True, mode=0o700)
        table = self.folder / "table.csv"
        table.write_text('track_id,title,artist,album,album_id,year\nsong,Cold Day,Paul Shuler,Sketches,sketches,2011\n'
                         'other,Cold Day (Live),Paul Shuler,Sketches Live,live,2015\n' + ",".join(["evil", *[f'"{EVIL}"'] * 3, "evil-album", "2021"]) + "\n")
        run(stage.service.process.args[0], "import", "table", table, "--database", data / "music.sqlite")
        words = self.folder / "words"
        words.mkdir()
        for name, artist, title in [("song", "Paul Shuler", "Cold Day"), ("other", "Paul Shuler", "Cold Day (Live)"), ("evil", EVIL, EVIL)]:
            lines = "".join(f"[00:{n:02d}.00]{name} line {n} <b>of</b> the <script>alert(8)</script> words\n" for n in range(0, 60, 3))
            (words / f"{name}.lrc").write_text(f"[ar:{artist}]\n[ti:{title}]\n{lines}")
        run(stage.service.process.args[0], "import", "lyrics", words, "--database", data / "music.sqlite")
        self.service = stage.also(Service(data, "--no-open"))
        self.add("song", "?trackID=song")
        # The same performance, of which another begin is missing in each.
        self.add("other", "?trackID=other", begin=4)
        self.add("data-7", "", "-af", "lowpass=f=6000", begin=2)
        self.add("evil", f"?trackID=evil&title={quote(EVIL)}&artist={quote(EVIL)}", song="snodom")

    def add(self, name, query, *options, song="cold-day", begin=0):
        path = self.folder / f"{name}.wav"
        run("ffmpeg", "-v", "error", "-y", "-ss", begin, "-i", MUSIC / f"{song}.ogg", *options, "-ac", "1", "-ar", "44100", "-map_metadata", "-1", path)
        status, told, _ = self.service.ask("PUT", f"/v1/references/{name}{query}", self.service.admin, path.read_bytes(), "audio/wav")
        assert status in (200, 201), told


def alike(browser):
    if not hasattr(browser.stage, "alike"):
        browser.stage.alike = Alike(browser.stage)
    browser.service = browser.stage.alike.service
    return browser.stage.alike


def asked(browser, part):
    return browser.script("return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes(arguments[0]))", part)


def lit(browser):
    return browser.script("return document.querySelector('.lyrics li[aria-current]')?.textContent ?? ''")


@story("recognize", "the words of an answer are in step: the line that is sung is marked, and the next one after it")
def lyrics(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    seen = [browser.wait(lambda: lit(browser), "the line that is sung")]
    for _ in range(2):
        seen.append(browser.wait(lambda: lit(browser) not in seen and lit(browser), "the next line", 6))
        # Lines come every three seconds, each named by its second.
        minutes, seconds = browser.text(".answer .number").split(" / ")[0].split(":")
        # The clock is drawn a moment after the line, or before it.
        assert -1 <= 60 * int(minutes) + int(seconds) - int(seen[-1].split()[1]) <= 3, (seen, minutes, seconds)
    places = [int(line.split()[1]) for line in seen]
    assert places == [places[0], places[0] + 3, places[0] + 6], seen
    assert browser.script("""
        const line = document.querySelector('.lyrics li[aria-current]'), list = line.parentElement;
        return line.offsetTop - list.offsetTop >= list.scrollTop - 1 && line.offsetTop - list.offsetTop < list.scrollTop + list.clientHeight"""), "the line is out of sight"
    assert not browser.driver.find_elements("css selector", ".lyrics b"), "words became markup"


@story("recognize", "an answer that is not the right one has others beside it, each with its number, name and place")
@requirements("R-ACR-091", "R-ACR-092")
def others(browser):
    alike(browser)
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2")
    browser.sees("Match 1 of 3")
    first = browser.text(".answer h2")
    wanted = {"Cold Day": "song", "Cold Day (Live)": "other"}
    names = {first}
    # More is asked about the first match only.
    if first in wanted:
        browser.wait(lambda: asked(browser, "/lyrics"), "the words")
        assert [urlparse(name).path for name in asked(browser, "/lyrics")] == [f"/v1/tracks/{wanted[first]}/lyrics"], asked(browser, "/lyrics")
    browser.click("details summary", "Not this?")
    rows = browser.wait(lambda: len(browser.all("#result details .item")) == 2 and browser.all("#result details .item"), "two others")
    for number, row in zip((2, 3), rows):
        words = row.text
        assert words.startswith(f"{number}."), words
        assert any(part.count(":") == 1 and part.replace(":", "").isdigit() for part in words.split()), f"no position: {words}"
        names.add(row.find_element("css selector", ".wide div").text)
    # What has no title is told by its identifier.
    assert names == {"Cold Day", "Cold Day (Live)", "data-7"}, names
    second = rows[0].find_element("css selector", ".wide div").text
    browser.click("#result details button", "This one")
    browser.find(".answer h2", second)
    browser.sees("Match 2 of 3")
    assert browser.script("return document.activeElement.id") == "answer-title"
    row = browser.find("#result details .item")
    assert row.text.startswith("1."), row.text
    browser.click("#result details button", "This one")
    browser.find(".answer h2", first)
    browser.sees("Match 1 of 3")
    # A recording that has other music has nothing of this left.
    browser.choose_file("#app input[type=file]", MUSIC / "snodom.ogg")
    browser.find(".answer h2", EVIL)
    assert not browser.has("#result summary", "Not this?")


@story("recognize", "each way to recognize says what it wants, can be followed while it runs, and tells its outcome once")
@requirements("R-MC-020")
def operations(browser):
    browser.open("/")
    browser.find("button.listen", "Listen")
    browser.script("""
        window.outcomes = [];
        const status = document.querySelector('main [role=status]');
        new MutationObserver(() => { if (/found/.test(status.textContent)) outcomes.push(status.textContent); }).observe(status, { childList: true, characterData: true, subtree: true });""")
    browser.click("button.listen")
    browser.find("button.listen", "Cancel")
    browser.find(".answer h2", "Cold Day")
    browser.wait(lambda: browser.script("return outcomes.length") == 1, "an outcome")
    browser.choose_file("#app input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")
    browser.wait(lambda: browser.script("return outcomes.length") == 2, "an outcome")
    assert browser.script("return outcomes") == ["Microphone: 1 found", "File: 1 found"], browser.script("return outcomes")
    runs = [parse_qs(urlparse(name).query) for name in asked(browser, "/v1/recognitions")]
    assert len(runs) >= 2 and all(run["kind"] and run["single"] and run["coverArt"] for run in runs), runs


@story("recognize", "while it listens a picture shows how, and something moves until the answer is there", microphone="noise")
@requirements("R-MC-242", "R-MC-246", "R-MC-248")
def shows(browser):
    browser.open("/")
    browser.find("button.listen", "Listen")
    assert not browser.has(".stage .demonstration"), "the picture is there before it listens"
    browser.script("""
        window.moving = new Set();
        const app = document.getElementById('app');
        setInterval(() => { if (document.querySelector('.meter').getAnimations().length) moving.add(app.dataset.state); }, 30);""")
    browser.click("button.listen")
    browser.find(".stage .demonstration")
    browser.sees("Hold the microphone near the loudspeaker")
    assert browser.script("return document.querySelector('.stage .demonstration .sound').getAnimations().some((one) => one.playState === 'running')"), "it stands still"
    browser.wait(lambda: browser.has("#result h2", "Nothing matched"), "nothing matched", 30)
    assert not browser.has(".stage .demonstration")
    # While a file is asked about, too.
    browser.choose_file("#app input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")
    assert "file" in browser.script("return [...moving]"), browser.script("return [...moving]")


def helped(browser, path):
    """Opens help by one press, from any page."""
    browser.open(path)
    browser.click("#help summary")
    for words in ("near the loudspeaker", "wait for the tone", "Do not talk", "humming"):
        browser.find("#help li", words)
    assert len(browser.all("#help li svg")) == 4, path
    browser.find("#help figure svg.demonstration")
    browser.sees("the title appears", "#help figcaption")
    assert browser.script("return document.querySelector('#help .demonstration .third').getAnimations().some((one) => one.playState === 'running')"), "the demonstration stands still"


@story("help", "pictograms and a demonstration are one press away on every page", person="operator", expected=("404",), microphone=None)
@requirements("R-MC-247")
def help_everywhere(browser):
    for path in ["/", "/search", "/tracks/cold-day", "/tracklist", "/companion", "/collection", "/library", "/pieces", "/history", "/account", "/drop", "/admin",
                 "/admin/clients", "/stations", "/start", "/sign-in", "/nothing"]:
        helped(browser, path)
        browser.check(("404",))


@story("help", "help is there while the page listens, and takes nothing away", microphone="noise")
@requirements("R-MC-247")
def help_meanwhile(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.wait(lambda: "Listening" in browser.text("main [role=status]"), "listening")
    browser.click("#help summary")
    browser.find("#help figure svg")
    assert browser.find("button.listen", "Cancel")
    browser.wait(lambda: browser.has("#result h2", "Nothing matched"), "nothing matched", 30)
    assert browser.has("#help figure svg"), "the help was closed"


@story("faults", "an address that leads nowhere says what to do", microphone=None, expected=("404",))
def nowhere(browser):
    browser.open("/nowhere")
    browser.find("h1", "Page not found")
    browser.sees("may have been removed")
    assert len(browser.text()) < 300, "the page tells more than anybody wants to know"
    browser.click("main a", "Search")
    browser.find("input[name=q]")
