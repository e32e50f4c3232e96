"""Playing the media folders."""
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from .stories import MUSIC, requirements, run, story

EVIL = "<b>bold</b> <img src=x onerror=alert(1)>"


def tagged(browser):
    """Puts files into the media folder, once, and has the service look again."""
    stage = browser.stage
    if getattr(stage, "has_library", False):
        return
    stage.has_library = True

    def make(name, song, title, artist, album, number, *options):
        run("ffmpeg", "-v", "error", "-y", "-i", MUSIC / song, "-map_metadata", "-1", "-vn", "-metadata", f"title={title}",
            "-metadata", f"artist={artist}", "-metadata", f"album={album}", "-metadata", f"track={number}", *options, stage.media / name)

    (stage.media / "Moon").mkdir()
    make("Moon/1.flac", "cold-day.ogg", "Cold Moon", "The Lamps", "Moondance", 1)
    make("Moon/2.mp3", "warm-ink.ogg", "Warm Moon", "The Lamps", "Moondance", 2)
    make("Moon/3.m4a", "snodom.ogg", "Late Moon", "The Lamps", "Moondance", 3, "-c:a", "aac")
    (stage.media / "Other").mkdir()
    make("Other/4.wma", "win-game.ogg", "Old Player", "Somebody", "Attic", 1, "-c:a", "wmav2", "-t", "50")
    make("Other/5.ogg", "main-screen.ogg", "Late Moon", "Others", "Second Moon", 1)
    make("Other/6.ogg", "main-screen.ogg", EVIL, EVIL, EVIL, 1, "-t", "20")
    run("ffmpeg", "-v", "error", "-y", "-stream_loop", "11", "-i", MUSIC / "win-game.ogg", "-c:a", "wmav2", "-b:a", "128k", "-metadata", "title=Long Way",
        "-metadata", "album=Ways", "-metadata", "artist=Walkers", stage.media / "Other/7.wma")
    rescan(browser)


def rescan(browser):
    """Has the service look at its folders again, while no page asks it."""
    browser.driver.get("about:blank")
    port = browser.service.port
    browser.service.stop()
    browser.service.start(port)


def opened(browser, path="/library"):
    tagged(browser)
    browser.open(path)
    browser.wait(lambda: browser.has(".album h3", "Moondance"), "the albums", 40)


def audio(browser, member):
    return browser.script(f"return document.querySelector('audio').{member}")


def plays(browser, title):
    browser.find("#now", title)
    browser.wait(lambda: not audio(browser, "paused") and audio(browser, "currentTime") > 0.3, f"{title} plays", 30)


@story("library", "an album is played, its sound and facts are shown, and the slider seeks", person="operator")
@requirements("R-MR-093")
def album(browser):
    opened(browser)
    browser.click("button[aria-label='Play Moondance']")
    plays(browser, "Cold Moon")
    browser.wait(lambda: browser.script("return document.querySelector('.playing').dataset.wave") == "1200"
                 or int(browser.script("return document.querySelector('.playing').dataset.wave || 0")) > 500, "the waveform")
    if browser.has("button", "Measure now"):
        browser.click("button", "Measure now")
    browser.wait(lambda: browser.has(".facts dt", "Loudness"), "the loudness", 60)
    browser.sees("LUFS", ".facts")
    slider = browser.find(".slider input")
    slider.send_keys("\ue010")
    browser.wait(lambda: browser.has("#now", "Warm Moon"), "the end leads to the next track")
    plays(browser, "Warm Moon")
    browser.find(".slider input").send_keys("\ue014\ue014")
    browser.wait(lambda: audio(browser, "currentTime") > 8, "five seconds on, twice")
    browser.click("button[aria-label=Pause]")
    browser.wait(lambda: audio(browser, "paused"), "it rests")


@story("library", "commands in words play; of several things one is chosen, and canceling changes nothing", person="operator")
@requirements("R-MR-010")
def commands(browser):
    opened(browser)
    browser.type("input[name=q]", "play album moondance")
    browser.click("form[role=search] button")
    plays(browser, "Cold Moon")
    browser.type("input[name=q]", "next track")
    browser.click("form[role=search] button")
    plays(browser, "Warm Moon")
    before = browser.script("return sessionStorage.getItem('library-queue')")
    browser.click("button[aria-label=Pause]")
    browser.type("input[name=q]", "play track late moon")
    browser.click("form[role=search] button")
    browser.find(".choice h2", "Which one?")
    assert len(browser.all(".choice li")) == 2
    browser.click(".choice button", "Cancel")
    browser.gone(".choice")
    browser.find("#now", "Warm Moon")
    after = browser.script("return sessionStorage.getItem('library-queue')")
    import json
    assert json.loads(before)["tracks"] == json.loads(after)["tracks"] and json.loads(before)["place"] == json.loads(after)["place"]
    browser.click("form[role=search] button")
    browser.find(".choice h2")
    browser.click(".choice li button")
    plays(browser, "Late Moon")
    browser.type("input[name=q]", "play nothing of this name")
    browser.click("form[role=search] button")
    browser.sees("Nothing is named")
    browser.type("input[name=q]", "fm")
    browser.click("form[role=search] button")
    browser.sees("plays files only")


@story("library", "a slider that is dragged follows the hand, and plays from there when it is let go", person="operator")
@requirements("R-MR-091", "R-MR-095")
def drag(browser):
    opened(browser)
    browser.click("button[aria-label='Play Moondance']")
    plays(browser, "Cold Moon")
    slider = browser.find(".slider input")
    browser.script("arguments[0].scrollIntoView({block: 'center'})", slider)
    width = slider.size["width"]
    ActionChains(browser.driver).move_to_element_with_offset(slider, -width // 2 + 12, 0).click_and_hold().move_by_offset(width // 2, 0).perform()
    held = float(slider.get_attribute("value"))
    reports = int(browser.script("return document.querySelector('.playing').dataset.reports"))
    browser.wait(lambda: int(browser.script("return document.querySelector('.playing').dataset.reports")) > reports + 4, "reports of the player")
    assert float(slider.get_attribute("value")) == held, "a report moved the slider"
    assert audio(browser, "currentTime") < held - 10
    ActionChains(browser.driver).release().perform()
    browser.wait(lambda: abs(audio(browser, "currentTime") - held) < 3, "it plays from there")
    browser.wait(lambda: float(slider.get_attribute("value")) > held, "the slider moves again")


@story("library", "what browsers do not play is decoded by the service, and any place of it is reached", person="operator")
def old(browser):
    opened(browser)
    browser.click("button[aria-label='Play Attic']")
    plays(browser, "Old Player")
    assert abs(audio(browser, "duration") - 50) < 0.5, audio(browser, "duration")
    browser.script("document.querySelector('.slider input').focus()")
    browser.find(".slider input").send_keys("\ue00e")
    browser.wait(lambda: audio(browser, "currentTime") > 29, "half a minute on")
    browser.wait(lambda: audio(browser, "currentTime") > 31, "it goes on")


@story("library", "a reload goes on with the track and the place where it was", person="operator")
def reload(browser):
    opened(browser)
    browser.click("button[aria-label='Play Moondance']")
    plays(browser, "Cold Moon")
    browser.find(".slider input").send_keys("\ue00e")
    browser.wait(lambda: audio(browser, "currentTime") > 31, "half a minute on")
    browser.reload()
    browser.find("#now", "Cold Moon")
    browser.wait(lambda: audio(browser, "currentTime") > 30, "the place of before")
    assert audio(browser, "paused")
    browser.click(".playing button[aria-label=Play]")
    plays(browser, "Cold Moon")
    browser.click(".tabs a", "Tracks")
    browser.wait(lambda: len(browser.all(".track")) >= 6, "the tracks")
    assert "view=tracks" in browser.path
    plays(browser, "Cold Moon")


@story("library", "a service that is restarted while music plays interrupts it for a moment", person="operator",
       expected=("Failed to load resource", "net::ERR"))
def restart(browser):
    opened(browser)
    browser.click("button[aria-label='Play Ways']")
    plays(browser, "Long Way")
    port = browser.service.port
    browser.service.stop()
    browser.script("document.querySelector('audio').currentTime = 500")
    time.sleep(2)
    browser.service.start(port)
    browser.wait(lambda: audio(browser, "currentTime") > 501 and not audio(browser, "paused"), "it goes on", 40)


@story("library", "a person without the right is told what it takes", person="Lena", expected=("403",))
def denied(browser):
    tagged(browser)
    browser.open("/library")
    browser.sees("does not have the right to play the library")


@story("library", "tags full of markup are text", person="operator")
def markup(browser):
    opened(browser)
    browser.find(".album h3", EVIL)
    browser.click(f"button[aria-label='Play {EVIL}']")
    plays(browser, EVIL)
    assert not browser.driver.find_elements(By.CSS_SELECTOR, "main img, main b")
