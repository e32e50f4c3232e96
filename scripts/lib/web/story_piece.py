"""The page of a piece, and the lists of pieces."""
import time

from .pieces import author, publish, sound
from .stories import story

EVIL = "<b>bold</b><img src=x onerror=alert(1)>"


def family(stage):
    """A piece with stems, one that it is based on, one that was removed, and two that are based on it."""
    if not hasattr(stage, "family"):
        loop = sound(stage, "loop.wav")
        stems = [("Drums", sound(stage, "drums.wav", "win-game.ogg", 12, "highpass=f=2000")), ("Bass", sound(stage, "bass.wav", "win-game.ogg", 12, "lowpass=f=200")),
                 (EVIL[:8].replace("<", "(").replace(">", ")"), sound(stage, "pad.wav", "warm-ink.ogg", 12))]
        first = publish(stage, "Ada", "First Rail", loop)
        gone = publish(stage, "Ada", "Gone Rail", loop)
        own = publish(stage, "Ada", "Morning Rail", loop, stems, [first, gone], loop={"start": 2_000_000, "end": 4_000_000}, tempo=120,
                      tonality={"state": "tonal", "scale": [n in (0, 2, 4, 5, 7, 9, 11) for n in range(12)], "root": 9}, description="Made on a train.\nTwice.")
        child = publish(stage, "Bo", "Evening Rail", loop, based_on=[own])
        evil = publish(stage, EVIL[:40], EVIL, loop, based_on=[own, child])
        stage.service.ask("DELETE", f"/v1/pieces/{gone}", author(stage, "Ada"))
        stage.family = {"first": first, "own": own, "child": child, "evil": evil}
    return stage.family


def data(browser, name):
    return browser.script(f"return document.getElementById('piece').dataset.{name}")


def clock(browser):
    minutes, seconds = browser.text(".slider .number").split(":")
    return 60 * int(minutes) + int(seconds)


@story("piece", "stems are silenced and heard alone while the piece plays, all in step")
def stems(browser):
    browser.open(f"/pieces/{family(browser.stage)['own']}")
    browser.find("h1", "Morning Rail")
    browser.find("dd", "A minor")
    browser.click("button[aria-label=Play]")
    browser.wait(lambda: clock(browser) >= 1, "it plays", 30)
    assert data(browser, "audible") == "mix"
    browser.click("button[aria-label='Mute Drums']")
    browser.wait(lambda: data(browser, "audible").startswith("Bass|"), "without drums")
    assert browser.find("button[aria-label='Mute Drums']").get_attribute("aria-pressed") == "true"
    browser.click("button[aria-label='Play Bass alone']")
    browser.wait(lambda: data(browser, "audible") == "Bass", "bass alone")
    browser.click("button[aria-label='Play Bass alone']")
    browser.click("button[aria-label='Mute Drums']")
    browser.wait(lambda: data(browser, "audible") == "mix", "the mix again")
    assert float(data(browser, "drift")) < 0.02
    browser.click("button[aria-label=Pause]")
    before = browser.text(".slider .number")
    time.sleep(1.2)
    assert browser.text(".slider .number") == before


@story("piece", "a loop is repeated, and the slider seeks by keys")
def loops(browser):
    browser.open(f"/pieces/{family(browser.stage)['own']}")
    browser.click("label", "Repeat the loop")
    browser.click("button[aria-label=Play]")
    browser.wait(lambda: clock(browser) >= 3, "the second half of the loop", 30)
    browser.wait(lambda: clock(browser) == 2, "it begins again")
    time.sleep(3)
    assert clock(browser) in (2, 3, 4)
    browser.find("canvas.wave")
    browser.click("label", "Repeat the loop")
    browser.find(".slider input").send_keys("\ue010")
    browser.find("button[aria-label=Play]")


@story("piece", "the stems of a piece that is too long to be decoded stay in step too", widths=("desk",))
def streams(browser):
    stage = browser.stage
    long = sound(stage, "hour.wav", "win-game.ogg", 300, rate=8000, channels=1)
    piece = publish(stage, "Ada", "Long Rail", long, [("Left", long), ("Right", long), ("Middle", long)], seconds=300)
    browser.open(f"/pieces/{piece}")
    browser.click("button[aria-label=Play]")
    browser.wait(lambda: clock(browser) >= 1, "it plays", 40)
    browser.click("button[aria-label='Mute Left']")
    browser.find(".slider input").send_keys("\ue00e\ue00e")
    browser.wait(lambda: clock(browser) >= 62, "a minute on", 30)
    browser.wait(lambda: float(data(browser, "drift")) < 0.05, "in step", 10)
    drifts = []
    for _ in range(10):
        time.sleep(0.2)
        drifts.append(float(data(browser, "drift")))
    assert max(drifts) < 0.1, drifts
    assert data(browser, "audible") == "Right|Middle"


@story("piece", "the ancestry is a picture that the keyboard walks through")
def ancestry(browser):
    pieces = family(browser.stage)
    browser.open(f"/pieces/{pieces['own']}")
    browser.wait(lambda: len(browser.all(".tree .node")) == 5, "five pieces")
    assert browser.has(".tree .lost") and len(browser.all(".tree .edge")) >= 4
    browser.script("document.querySelector('.tree .own').focus()")
    browser.driver.switch_to.active_element.send_keys("\ue013")
    assert "First Rail" in browser.script("return document.activeElement.getAttribute('aria-label')")
    browser.driver.switch_to.active_element.send_keys("\ue007")
    browser.find("h1", "First Rail")
    browser.wait(lambda: len(browser.all(".tree .node")) >= 4, "its descendants")


@story("piece", "without JavaScript there are players, lists and links", widths=("desk",))
def plain(browser):
    pieces = family(browser.stage)
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.open(f"/pieces/{pieces['own']}")
    browser.find("#player audio")
    assert len(browser.all("#stems audio")) == 3
    browser.find("h2", "Based on")
    browser.sees("a piece that was removed")
    browser.click("#family a", "First Rail")
    browser.find("h1", "First Rail")
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@story("piece", "pieces are listed, searched, and shown by their author")
def lists(browser):
    family(browser.stage)
    publish(browser.stage, "Ada", "Secret Rail", sound(browser.stage, "loop.wav"), visibility="private")
    browser.open("/pieces?q=rail")
    browser.sees("Morning Rail")
    browser.sees("Evening Rail")
    browser.click(".gallery a", "Ada")
    browser.find("h1", "Ada")
    assert browser.path == "/authors/Ada"
    browser.sees("First Rail")
    assert "Evening Rail" not in browser.text() and "Secret Rail" not in browser.text()
    browser.type("input[name=q]", "morning")
    browser.click("[role=search] button")
    browser.gone(".gallery .name", "First Rail")
    browser.click(".gallery .name", "Morning Rail")
    browser.find("h1", "Morning Rail")


@story("piece", "an author sees what was heard in a piece, changes who may see it, and removes it", person="Carla", expected=("404", "410"))
def own(browser):
    browser.open("/drop")
    browser.choose_file(".drop input[type=file]:not([multiple])", sound(browser.stage, "quote.wav", "cold-day.ogg", 30))
    browser.find(".chosen .tag", "Mix")
    browser.type("[name=title]", "Quoted Day")
    browser.click(".actions button", "Send")
    browser.wait(lambda: browser.has("#heard", "has analyzed") and browser.find(".actions button", "Publish").is_enabled(), "all there", 40)
    browser.click(".actions button", "Publish")
    browser.find("#own h2", "Your piece")
    address = browser.path
    browser.wait(lambda: browser.has("#findings li", "cold-day") or browser.has("#findings li", "Cold Day") or browser.has("#findings li a"), "what is heard in it", 60)
    browser.script("const s = document.querySelector('#own select'); s.value = 'private'; s.dispatchEvent(new Event('change'))")
    browser.find(".tag", "private")
    browser.click("button.plain", "Sign out")
    browser.wait(lambda: browser.path == "/", "signed out")
    browser.open(address)
    browser.sees("Piece not found")
    browser.sign_in("Carla")
    browser.open("/pieces")
    browser.click("a", "My pieces")
    browser.find(".gallery .tag", "private")
    browser.click(".gallery .name", "Quoted Day")
    browser.click("#own button", "Remove the piece")
    browser.click("#own button", "Remove it")
    browser.wait(lambda: browser.path == "/pieces", "the list")
    browser.open(address)
    browser.sees("This piece was removed")


@story("piece", "markup in titles, names and authors is text")
def markup(browser):
    browser.open(f"/pieces/{family(browser.stage)['evil']}")
    browser.find("h1", EVIL)
    browser.wait(lambda: browser.has(".tree .own"), "the ancestry")
    assert not browser.driver.find_elements("css selector", "main img, main b")
    browser.open("/pieces")
    browser.sees(EVIL)
    assert not browser.driver.find_elements("css selector", "main b")
