"""All pages in German and in Japanese: nothing of them is left in English, and the longer words have room."""
import json
import re
import time
from urllib.parse import quote

from .pieces import author
from .stories import ROOT, story
from .story_admin import ask
from .story_companion import LESSON, PATH, prepare
from .story_history import MUSIC, recognize
from .story_library import tagged
from .story_piece import family
from .story_stations import DAY, recorded

TEXTS = ROOT / "Sources/EarshotServer/Web"
NAMES = {"de": "Deutsch", "ja": "日本語"}
#: Shorter words may be names, or the same word in both languages by chance.
LENGTH = 4
#: What the stage itself is called in English: its media folder, an artist.
GIVEN = {"music", "Others"}


def english(language):
    """A pattern of the English texts that the language says otherwise."""
    own, there = (json.loads((TEXTS / f"texts-{name}.json").read_text()) for name in ("en", language))
    patterns = []
    for group, texts in own.items():
        for name, text in texts.items():
            fixed = re.sub(r"\{\w+\}", "", text)
            if text == there[group][name] or len(fixed.strip()) < (LENGTH if fixed == text else 12):
                continue
            patterns.append(".+?".join(re.escape(part) for part in re.split(r"\{\w+\}", text)))
    # What one text says in English may be another text's word in this language.
    words = {text for texts in there.values() for text in texts.values()}
    return re.compile("|".join(patterns), re.DOTALL), words


def shown(browser):
    """All words that people see, or hear from a screen reader."""
    return browser.script("""
        const found = [document.title];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (!node.parentElement.closest('script, style, noscript, [lang]:not(html)')) found.push(node.data.trim());
        }
        for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
            for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push((element.getAttribute(name) ?? '').trim());
        }
        return found.filter(Boolean);""")


def settled(browser):
    """Waits until a page has been filled."""
    def filled():
        return browser.script("""
            const app = document.getElementById('app');
            return document.readyState === 'complete' && (!app || app.children.length > 0) && !document.querySelector('main .spin')""")

    browser.wait(filled, "the page")
    time.sleep(0.4)
    browser.wait(filled, "the page")


def judge(browser, language, path):
    pattern, words = english(language)
    browser.open(path)
    settled(browser)
    assert browser.script("return document.documentElement.lang") == language, path
    # All that is folded is for people too.
    browser.script("document.querySelectorAll('main details').forEach((part) => { part.open = true; })")
    left = [text for text in shown(browser) if text not in words | GIVEN and pattern.fullmatch(text)]
    assert not left, f"{path} says in English: {left}"
    try:
        browser.check(("404", "403"))
    except AssertionError as error:
        raise AssertionError(f"{path}: {error}") from error


def choose(browser, language):
    browser.open("/search")
    browser.click("footer a", NAMES[language])
    browser.wait(lambda: browser.script("return document.documentElement.lang") == language, "the language")
    assert browser.path == "/search", "choosing a language leads elsewhere"


def visitor(browser, language):
    pieces = family(browser.stage)
    prepare(browser)
    choose(browser, language)
    for path in ["/", "/search?q=many+roads", "/search?q=many+roads&offset=500", "/search?q=xyzzyplugh", "/search?in=lyrics&q=line+6+of+the+words", "/tracks/cold-day",
                 "/albums/sketches", "/albums/many", "/artists/none", "/tracklist", "/companion", f"/companion/{PATH}", "/collection", "/history", "/pieces",
                 "/pieces?q=nothing", f"/pieces/{pieces['own']}", "/authors/Ada", "/sign-in", "/start", "/nothing"]:
        judge(browser, language, path)
    browser.open("/tracks/cold-day")
    browser.click(".by a")
    judge(browser, language, browser.path)


def answers(browser, language):
    """What is not there when a page is opened: answers, tips, what went wrong."""
    pattern, words = english(language)

    def check(where):
        left = [text for text in shown(browser) if text not in words | GIVEN and pattern.fullmatch(text)]
        assert not left, f"{where} says in English: {left}"
        browser.check(("422", "400"))

    choose(browser, language)
    browser.open("/")
    settled(browser)
    browser.choose_file("#app input[type=file]", MUSIC / "cold-day.ogg")
    browser.find(".answer h2", "Cold Day")
    browser.find(".lyrics li")
    check("an answer")
    browser.choose_file("#app input[type=file]", browser.stage.sounds["noise"])
    browser.find("#result fieldset")
    for button in browser.all("#result fieldset button"):
        button.click()
        check("a tip")
    broken = browser.downloads / "broken.mp3"
    broken.write_bytes(b"no sound at all" * 100)
    browser.choose_file("#app input[type=file]", broken)
    browser.find(".fault")
    check("a fault")
    browser.open("/tracklist")
    settled(browser)
    browser.choose_file("#app input[type=file]", MUSIC / "warm-ink.ogg")
    browser.wait(lambda: browser.has("ol.tracks li"), "the tracklist", 60)
    check("a tracklist")


def member(browser, language):
    pieces = family(browser.stage)
    tagged(browser)
    recognize(browser, MUSIC / "cold-day.ogg")
    choose(browser, language)
    for path in ["/", "/history", "/account", "/drop", f"/drop?basedOn={pieces['own']}", "/library", "/pieces?author=me", "/tracklist"]:
        judge(browser, language, path)


def operator(browser, language):
    recorded(browser)
    tagged(browser)
    prepare(browser, LESSON)
    client = browser.service.client(name="Held", rights=["references"])
    token = browser.service.token(client)
    assert browser.service.ask("POST", "/v1/users", token)[0] == 201
    ask(browser, "PATCH", f"/v1/admin/clients/{client['id']}", {"quota": 3})
    choose(browser, language)
    for path in ["/admin", "/admin/references", f"/admin/references/{PATH}", "/admin/duplicates", "/admin/catalogs", "/admin/clients", f"/admin/clients/{client['id']}",
                 "/admin/music", "/admin/music?q=many", "/admin/music/cold-day", "/admin/sessions", "/admin/audit", "/admin/log", "/admin/settings", "/admin/nothing",
                 "/stations", f"/stations/station/harbour?day={DAY}", f"/stations/station/studio?day={DAY}&view=guide", "/stations/station/nobody", "/stations/songs",
                 "/stations/songs?q=" + quote("nothing of this kind"), "/stations/repeats", f"/stations/report?day={DAY}", "/stations/webhooks", "/stations/channels",
                 "/library", "/library?view=tracks", f"/companion/{PATH}/edit", "/account"]:
        judge(browser, language, path)


for person, body, sees, who in [(None, visitor, "a visitor", "all pages"), (None, answers, "a visitor", "answers, tips and faults"),
                                ("Yuki", member, "somebody who has signed in", "pages"), ("operator", operator, "the operator", "pages")]:
    for code, name in [("de", "German"), ("ja", "Japanese")]:
        story("languages", f"{sees} reads {who} in {name}", microphone=None, person=person, widths=("phone",), expected=("404", "403", "422", "400"))(
            lambda browser, body=body, code=code: body(browser, code))
