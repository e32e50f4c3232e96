"""Titles, names of files and names of people that are full of markup: text on every page."""
import shutil
from urllib.parse import quote

from .stories import MUSIC, SOUNDS, story
from .story_admin import ask
from .story_matches import EVIL, alike


SOUNDS["markup"] = lambda stage: stage.sound("markup", "snodom.ogg", 6, "highpass=f=200,lowpass=f=5000")


def plain(browser, where="main"):
    """Nothing of the markup has become elements."""
    found = browser.script("return [...document.querySelectorAll(`${arguments[0]} :is(b, i, u, em, script), ${arguments[0]} img[src=x]`)].map((element) => element.outerHTML)", where)
    assert not found, found
    assert browser.script("return !document.title.includes('undefined')")


@story("markup", "an answer whose title, artist, album and words are full of markup, from the microphone's page", microphone=None)
def answer(browser):
    alike(browser)
    browser.open("/")
    evil = browser.downloads / "<img src=x onerror=alert(9)><b>file.ogg"
    shutil.copy(MUSIC / "snodom.ogg", evil)
    browser.choose_file("#app input[type=file]", evil)
    browser.find(".answer h2", EVIL)
    browser.find(".answer p", EVIL)
    browser.find(".lyrics li", "evil line 6 <b>of</b> the <script>alert(8)</script> words")
    plain(browser)
    # Several files are listed by their names.
    browser.choose_file("#app input[type=file]", evil, MUSIC / "cold-day.ogg")
    browser.find("#result li", evil.name)
    browser.find("#result li", EVIL)
    plain(browser)
    browser.open("/tracklist")
    browser.choose_file("#app input[type=file]", evil)
    browser.wait(lambda: browser.has("ol.tracks li", EVIL), "the tracklist", 60)
    browser.sees(evil.name)
    plain(browser)


@story("markup", "what is heard is full of markup", microphone="markup")
def heard(browser):
    alike(browser)
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2", EVIL)
    browser.wait(lambda: "evil line" in browser.script("return document.querySelector('.lyrics li[aria-current]')?.textContent ?? ''"), "the line that is sung")
    plain(browser)
    browser.click(".answer h2 a")
    browser.find("h1", EVIL)
    plain(browser)


@story("markup", "the operator's lists: references, clients, users, the audit log, jobs", microphone=None)
def lists(browser):
    evil = alike(browser).service
    client = evil.client(name=EVIL)
    ask(browser, "PATCH", f"/v1/admin/clients/{client['id']}", {"quota": 3})
    ask(browser, "PUT", f"/v1/references/{quote('<b>id</b>', safe='')}?title={quote(EVIL)}", (MUSIC / "main-screen.ogg").read_bytes(), "audio/ogg")
    browser.sign_in("operator")
    try:
        browser.open("/admin/references")
        browser.find("tbody a", EVIL)
        plain(browser)
        browser.open(f"/admin/references/{quote('<b>id</b>', safe='')}")
        browser.find("h2", EVIL)
        plain(browser)
        browser.open(f"/admin/references?q={quote(EVIL)}")
        browser.find("tbody a", EVIL)
        plain(browser)
        browser.open("/admin/clients")
        browser.find("tbody a", EVIL)
        plain(browser)
        browser.open(f"/admin/clients/{client['id']}")
        browser.find("h2", EVIL)
        plain(browser)
        browser.click("button.danger", "Remove the client")
        browser.find("dialog[open]", EVIL)
        plain(browser, "body")
        browser.click("dialog[open] button[value=no]")
        browser.open("/admin/audit")
        browser.find("tbody tr", "putReference")
        browser.find("tbody tr", "id %3Cb%3Eid%3C%2Fb%3E")
        plain(browser)
        table = browser.downloads / "<img src=x onerror=alert(5)>.csv"
        table.write_text(f'title,artist,year,genre\n"{EVIL}",{EVIL},1999,<u>none</u>\n"{EVIL}",,,\n')
        browser.open("/admin/music")
        browser.choose_file(".drop input[type=file]", table)
        browser.wait(lambda: "1 of 1 done" in browser.text("details"), "the table", 30)
        browser.sees(table.name, ".sends")
        plain(browser)
        browser.click(".sends a", "Report")
        browser.find("td", EVIL)
        plain(browser)
        browser.open("/admin/catalogs")
        browser.find(".job")
        plain(browser)
        browser.open("/admin")
        browser.find(".tiles")
        plain(browser)
        browser.open("/search?q=bold")
        browser.find("#results a", EVIL)
        plain(browser)
        browser.open("/companion")
        browser.find("main")
        plain(browser)
    finally:
        ask(browser, "DELETE", f"/v1/references/{quote('<b>id</b>', safe='')}")
        ask(browser, "DELETE", f"/v1/admin/clients/{client['id']}")
