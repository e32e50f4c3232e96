"""Stations: what is on, days, songs, repeats, reports, webhooks, live channels."""
import os
import signal
import subprocess
import time
from urllib.parse import quote

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from .station_folders import DAY, EVIL, Hooked, Live, Receiver, Recorded
from .stories import EARSHOT, MUSIC, story

#: What a browser says while a service is started again.
RESTART = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "503")


def watch(browser, folder):
    """Has the service show the stations of a folder, from its next start on."""
    service = browser.service
    options = ["--stations", str(folder)]
    if service.options[-2:] == options:
        return
    while "--stations" in service.options:
        place = service.options.index("--stations")
        del service.options[place:place + 2]
    service.options += options
    # A page that is open would ask a service that is not there.
    browser.driver.get("about:blank")
    restart(service)


def restart(service):
    port = service.port
    service.stop()
    service.start(port)


def recorded(browser):
    """The folder of recordings, made once, of which the service shows the stations."""
    stage = browser.stage
    if not hasattr(stage, "recorded"):
        stage.recorded = Recorded(stage)
    watch(browser, stage.recorded.folder)
    return stage.recorded


def day(browser, station, more=""):
    browser.open(f"/stations/station/{station}?day={DAY}{more}")
    browser.find(".st-timeline canvas")


@story("stations", "a service without a monitor says how to follow stations", person="operator", expected=("404",))
def none(browser):
    browser.open("/stations")
    browser.sees("No stations are monitored")
    browser.sees("earshot serve --stations")
    browser.open("/stations/repeats")
    browser.sees("No stations are monitored")


@story("stations", "somebody who is not the operator is asked to sign in", person="listener")
def others(browser):
    browser.open("/stations")
    browser.wait(lambda: browser.path.startswith("/sign-in?back="), "the page for signing in")


@story("stations", "all stations are on one page: the guide, the last break, and that the monitor has ended", person="operator")
def wall(browser):
    recorded(browser)
    browser.open("/stations")
    browser.find(".station h2", "Harbour FM")
    # Markup in a name is text.
    browser.find(".station h2", "<em>Studio</em>")
    browser.sees("The monitor has not run since")
    seven = browser.find(".station", "Channel Seven").text
    assert "0:30 (stream lost)" in seven, seven
    browser.sees("Program", ".station dl")
    browser.click(".station h2 a", "Channel Seven")
    browser.find("#section h2", "Channel Seven")


@story("stations", "a day is walked through by keys, zoomed, and shown again after a reload", person="operator")
def timeline(browser):
    recorded(browser)
    day(browser, "harbour")
    browser.find("#plays tbody tr", "Win Game")
    browser.find("#plays tbody tr", EVIL)
    assert not browser.all("#plays tbody b, #plays tbody i"), "a title became markup"
    canvas = browser.find(".st-timeline canvas")
    canvas.send_keys(Keys.ARROW_RIGHT)
    browser.sees("Win Game", ".st-detail")
    canvas.send_keys(Keys.ARROW_RIGHT)
    browser.wait(lambda: "<b>bold</b>" in browser.text(".st-detail"), "the next play")
    browser.wait(lambda: EVIL in browser.script("return document.querySelector('.sr[role=status]').textContent"), "what is said to a screen reader")
    browser.click(".st-timeline button[aria-label='Zoom in']")
    browser.wait(lambda: "hours=" in browser.path, "the hours in the address")
    before = browser.path
    browser.reload()
    browser.find("#plays tbody tr", "Win Game")
    time.sleep(0.5)
    assert browser.path == before, (browser.path, before)
    canvas = browser.find(".st-timeline canvas")
    canvas.send_keys("0")
    browser.wait(lambda: "hours=0-24" in browser.path, "the whole day")
    canvas.send_keys(Keys.HOME, Keys.ENTER)
    browser.wait(lambda: browser.script("return document.activeElement.closest('#plays tr')?.innerText.includes('Win Game')"), "the row of the table")


@story("stations", "the pointer tells what played, the wheel zooms, and a list of one kind is shown", person="operator")
def pointer(browser):
    recorded(browser)
    day(browser, "tv")
    canvas = browser.find(".st-timeline canvas")
    spots = browser.script("""
        const canvas = arguments[0];
        return [canvas.clientWidth, canvas.clientHeight];""", canvas)
    # Marks stand at the bottom.
    ActionChains(browser.driver).move_to_element_with_offset(canvas, int(-spots[0] * 0.25), int(spots[1] / 2 - 14)).perform()
    browser.sees("Main Screen", ".st-detail")
    ActionChains(browser.driver).scroll_from_origin(ScrollOrigin.from_element(canvas), 0, -240).perform()
    browser.wait(lambda: "hours=" in browser.path, "the hours in the address")
    browser.find("#plays tr.st-gap", "stream lost")
    browser.click("#kind option", "Advertisement")
    browser.wait(lambda: not browser.has("#plays tr.st-gap"), "the break gone")
    browser.find("#plays tbody tr", "Main Screen")
    browser.type("#words", "nothing like it")
    browser.sees("Nothing matches.")


@story("stations", "the day beside the guide says what was on time, moved and not heard", person="operator")
def guide(browser):
    recorded(browser)
    day(browser, "studio")
    browser.click("#guide summary")
    browser.find("#guide tbody tr", "Evening Talk")
    row = browser.find("#guide tbody tr", "Evening Talk").text
    assert "On time" in row, row
    assert browser.has("#guide tbody tr", "Not received")
    day(browser, "harbour", "&view=guide")
    browser.find("#guide tbody tr", "Not identified")


@story("stations", "plays and the report of a day are taken along as tables", person="operator")
def files(browser):
    recorded(browser)
    day(browser, "harbour")
    browser.click("header a", "CSV")
    table = browser.downloaded("harbour-*.csv").read_text()
    assert table.startswith("channel,start_utc") and "Win Game" in table
    browser.click("header a", "Report")
    browser.find("h2", "Report of")
    browser.find("table", "Harbour FM")
    browser.click("a", "CSV")
    assert "section" in browser.downloaded("report-*.csv").read_text()


@story("stations", "the report of all stations, for paper too", person="operator")
def report(browser):
    recorded(browser)
    browser.open(f"/stations/report?day={DAY}")
    for words in ("Harbour FM", "Channel Seven", "Advertisement", "stream lost", EVIL):
        browser.find("table", words)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not browser.has(".top") and not browser.has(".ways") and browser.has("table", "Harbour FM")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.click("a.button", "Day before")
    browser.sees("There are no plays on this day.")


@story("stations", "the plays of a song across stations are found by words", person="operator")
def songs(browser):
    recorded(browser)
    browser.open("/stations/songs")
    browser.find("tbody tr", "Win Game")
    browser.type("#q", "hoffmann win")
    browser.click("form button", "Search")
    browser.sees("Songs with")
    browser.click("tbody a", "Win Game")
    browser.sees("Plays: 3")
    browser.find("li.tag", "Harbour FM: 2")
    browser.find("tbody tr", "<em>Studio</em>")
    browser.reload()
    browser.sees("Plays: 3")
    browser.click("tbody a")
    browser.find(".st-timeline canvas")
    browser.driver.back()
    browser.sees("Plays: 3")
    browser.click("a", "All songs")
    browser.wait(lambda: "q=hoffmann" in browser.path, "the search")


@story("stations", "words that nothing has are told, as text", person="operator")
def no_songs(browser):
    recorded(browser)
    browser.open("/stations/songs?q=%3Cb%3Enothing%3C/b%3E")
    browser.sees("No station played anything with “<b>nothing</b>”")


@story("stations", "audio that repeats is listened to, named, added to the catalog, and taken up by the monitor", person="operator")
def repeats(browser):
    folder = recorded(browser)
    browser.open("/stations/repeats")
    card = browser.find("#repeats > li")
    name = card.get_attribute("id")
    length = browser.script("""
        const audio = document.querySelector('#repeats audio');
        audio.preload = 'auto';
        audio.load();
        return new Promise((done) => { audio.onloadedmetadata = () => done(audio.duration); audio.onerror = () => done(-1); });""")
    assert 6 < length < 30, length
    title = f"{name} <u>soap</u>"
    browser.type(f"#{name}-title", title)
    browser.type(f"#{name}-artist", "Nobody")
    browser.click(f"#{name}-adds")
    browser.click(f"#{name} form button", "Name it")
    browser.sees("is now a reference of the monitor and of this service")
    browser.sees(f"Named “{title}”")
    browser.sees("The monitor is not running.")
    references = browser.service.ask("GET", "/v1/references?limit=100", browser.service.admin)[1]["references"]
    assert any(one.get("title") == title for one in references), references
    folder.monitor()
    browser.reload()
    browser.find("#named tbody tr", title)
    assert not browser.has(f"#{name}")
    # Its audio is unknown to the stories of other pages.
    for one in references:
        if one.get("title") == title:
            browser.service.ask("DELETE", f"/v1/references/{quote(one['id'], safe='')}", browser.service.admin)


@story("stations", "audio of no interest is dismissed, by two presses", person="operator")
def dismisses(browser):
    recorded(browser)
    browser.open("/stations/repeats")
    browser.find("#repeats form")
    name = [card for card in browser.all("#repeats > li") if card.find_elements(By.CSS_SELECTOR, "form")][0].get_attribute("id")
    browser.click(f"#{name} button.danger", "Dismiss")
    browser.click(f"#{name} button", "Keep")
    browser.click(f"#{name} button.danger", "Dismiss")
    browser.click(f"#{name} button.danger", "Yes, dismiss")
    browser.sees("It will not be listed again.")
    browser.find(f"#{name}", "Dismissed")


@story("stations", "a station that is not known, and a page whose service is started again", person="operator", expected=("404", *RESTART))
def recovers(browser):
    recorded(browser)
    browser.open("/stations/station/nobody")
    browser.sees("This does not exist, or it was removed.", ".fault")
    browser.open("/stations")
    browser.find(".station h2", "Harbour FM")
    port = browser.service.port
    browser.service.stop()
    browser.sees("The service cannot be reached. The page shows")
    assert browser.has(".station h2", "Harbour FM"), "what was known is gone"
    browser.service.start(port)
    browser.wait(lambda: not browser.has(".fault"), "the page to recover", 30)


@story("stations", "a receiver that wanted no more is sent to again by a button, while the monitor runs", person="operator")
def webhooks(browser):
    receiver = Receiver()
    hooked = Hooked(browser.stage, receiver)
    try:
        browser.wait(lambda: (hooked.folder / "state/status.json").exists(), "the monitor", 30)
        watch(browser, hooked.folder)
        browser.open("/stations/webhooks")
        browser.find(".webhook h3", "shop <b>")
        assert "secret" not in browser.text(), "a secret is shown"
        # The first change is that a play has begun.
        browser.wait(lambda: browser.has(".webhook .tag", "Ended by the receiver"), "the answer 410", 60)
        browser.find(".webhook details tbody tr", "410")
        receiver.status = 204
        browser.click(".webhook button", "Send now")
        browser.sees("The monitor sends within seconds")
        browser.wait(lambda: browser.has(".webhook .tag", "Working"), "a delivery", 30)
        if not browser.has(".webhook tbody tr"):
            browser.click(".webhook summary")
        browser.find(".webhook tbody tr", "204")
    finally:
        hooked.close()
        receiver.close()


@story("stations", "channels that are fed to the service are listed", person="operator", expected=RESTART)
def channels(browser):
    recorded(browser)
    browser.open("/stations/channels")
    browser.wait(lambda: browser.has(".note") or browser.has("tbody tr"), "the list")
    if browser.has(".note", "No channel is sent yet."):
        client = browser.service.client(rights=["channels"])
        feed = subprocess.Popen([EARSHOT, "monitor", "feed", "harbour", "--file", str(MUSIC / "win-game.ogg"), "--server", browser.service.base,
                                 "--client", client["identifier"]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            browser.wait(lambda: browser.has("tbody tr", "harbour"), "the channel", 60)
        finally:
            feed.send_signal(signal.SIGTERM)
            feed.wait(30)
    browser.wait(lambda: browser.has("tbody tr", "harbour"), "the channel", 30)


@story("stations", "one command starts three stations, and the wall follows them: what is on, and a stream that stands still", expected=RESTART)
def live(browser):
    example = Live(browser.stage)
    browser.service = example
    try:
        browser.sign_in("operator")
        browser.open("/stations")
        browser.wait(lambda: len(browser.all(".station .tag.good")) == 3, "three stations on air", 60)
        browser.wait(lambda: browser.has(".station .st-on", "Win Game"), "what is on", 90)
        browser.find(".station dl", "Harbor Lights")
        browser.find(".station .st-level", "dBFS")
        tv = example.stream("tv")
        os.kill(tv, signal.SIGSTOP)
        try:
            browser.find(".station", "Channel Seven")
            browser.wait(lambda: browser.has(".station .tag.bad", "No audio since"), "the break", 30)
        finally:
            os.kill(tv, signal.SIGCONT)
        browser.wait(lambda: len(browser.all(".station .tag.good")) == 3, "all stations on air again", 60)
        browser.click(".station h2 a", "Harbour FM")
        browser.find("#plays tbody tr", "Win Game")
        browser.click(".st-timeline button", "Last hour")
    finally:
        example.close()
