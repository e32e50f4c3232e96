"""Publishing a piece."""
import json
import time

from .pieces import picture, sound
from .stories import requirements, run, story

EVIL = "<b>x</b><img src=x onerror=alert(1)>"


def mix_chosen(browser, path=None):
    browser.open("/drop")
    browser.find("h2", "Audio")
    browser.choose_file(".drop input[type=file]:not([multiple])", path or sound(browser.stage, "loop.wav"))
    browser.find(".chosen .tag", "Mix")
    browser.wait(lambda: ":" in browser.text("output"), "the length")


def value(browser, field, words, clear=True):
    browser.type(f"[name={field}]", words, clear)


def choose(browser, name, option):
    browser.script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", browser.find(f"select[name={name}]"), option)


def all_there(browser, patience=40):
    browser.wait(lambda: browser.has("#heard", "has analyzed"), "what is heard", patience)


def published(browser):
    browser.wait(lambda: browser.find(".actions button", "Publish").is_enabled(), "it can be published")
    browser.click(".actions button", "Publish")
    browser.wait(lambda: browser.path.startswith("/pieces/"), "the page of the piece", 30)
    return browser.path.removeprefix("/pieces/")


@story("drop", "a mix is sent, what is heard is compared with what was said, and the piece is published", person="Maya")
def publishes(browser):
    mix_chosen(browser, sound(browser.stage, "steady.wav", "snodom.ogg"))
    value(browser, "title", "Night Loop")
    value(browser, "tempo", "61")
    choose(browser, "tonality", "minor")
    choose(browser, "loop", "all")
    browser.click(".actions button", "Send")
    all_there(browser)
    browser.find("#note-tempo", "Measured:")
    browser.find("#note-tonality")
    if browser.has("#note-tempo .warn"):
        browser.click("#note-tempo button", "Use this value")
        browser.wait(lambda: browser.has("#note-tempo .good", "Measured:"), "it agrees")
    # Over plain http browsers have no digests of their own.
    wrong = browser.driver.execute_async_script("""
        const [done] = arguments;
        import(new URL('./sha256.js', document.querySelector('script[type=module]').src)).then(async ({ sha256, digestInParts }) => {
          const wrong = [];
          for (const size of [0, 1, 55, 56, 64, 1000, 4194303, 4194304, 4194365]) {
            const blob = new Blob([new Uint8Array(size).map((_, i) => i * 31 + size)]);
            if (await sha256(blob) !== await digestInParts(blob)) wrong.push(size);
          }
          done(wrong);
        }).catch((error) => done(String(error)));""")
    assert wrong == [], wrong
    identifier = published(browser)
    browser.find("h1", "Night Loop")
    browser.find("dd", "BPM")
    status, piece, _ = browser.service.ask("GET", f"/v1/pieces/{identifier}")
    assert status == 200 and piece["loop"]["end"] == piece["length"], piece


@story("drop", "what is wrong stands at its field, and is mended there", person="Maya", expected=("422",))
@requirements("R-PC-025", "R-PC-026")
def violations(browser):
    mix_chosen(browser)
    value(browser, "title", " ")
    value(browser, "tempo", "1000")
    choose(browser, "loop", "part")
    value(browser, "from", "5")
    value(browser, "to", "2")
    value(browser, "upper", "17")
    choose(browser, "tonality", "custom")
    browser.click(".actions button", "Send")
    browser.sees("To be corrected: 5")
    for field, words in [("title", "Give the piece a title"), ("tempo", "too high"), ("loop", "start before it ends"), ("timeSignature", "1 to 16 beats"), ("tonality", "notes of the scale")]:
        browser.find(f"#note-{field}.bad", words)
    assert browser.script("return document.activeElement.name") == "title"
    value(browser, "title", "Mended")
    value(browser, "tempo", "100")
    choose(browser, "loop", "none")
    value(browser, "upper", "4")
    choose(browser, "tonality", "unknown")
    browser.gone(".heard.bad")
    browser.click(".actions button", "Send")
    all_there(browser)
    published(browser)
    browser.find("h1", "Mended")


@story("drop", "a folder of stems becomes a piece: names say tempo, key and which is the mix", person="Otto")
def folder(browser):
    folder = browser.stage.folder / "Rail Loop 92bpm Am"
    sound(browser.stage, f"{folder.name}/drums.wav", "win-game.ogg", 10, "highpass=f=2000")
    sound(browser.stage, f"{folder.name}/bass.wav", "win-game.ogg", 10, "lowpass=f=200")
    browser.open("/drop")
    browser.find("h2", "Audio")
    browser.choose_file("input[webkitdirectory]", folder)
    browser.wait(lambda: len(browser.all(".chosen li")) == 3, "the parts", 30)
    assert browser.find("[name=title]").get_attribute("value") == "Rail Loop"
    assert browser.find("[name=tempo]").get_attribute("value") == "92"
    assert browser.find("select[name=tonality]").get_attribute("value") == "minor" and browser.find("select[name=root]").get_attribute("value") == "9"
    browser.click(".actions button", "Send")
    all_there(browser)
    identifier = published(browser)
    _, piece, _ = browser.service.ask("GET", f"/v1/pieces/{identifier}")
    assert piece["stems"] == ["bass", "drums"] and piece["label"] == "A minor", piece


@story("drop", "the cover is cut to the square that was chosen", person="Maya")
@requirements("R-PC-062", "R-PC-064")
def cover(browser):
    mix_chosen(browser)
    value(browser, "title", "Covered")
    browser.choose_file("input[accept='image/*']", picture(browser.stage))
    browser.find("canvas.crop")
    sliders = [s for s in browser.all("input[type=range]")]
    assert len(sliders) == 3
    sliders[1].send_keys("\ue010")
    browser.wait(lambda: browser.script("return document.querySelector('.crop').getContext('2d').getImageData(20, 20, 1, 1).data[2]") > 200, "the right half")
    browser.click(".actions button", "Send")
    all_there(browser)
    published(browser)
    shown = browser.find("img.cover")
    browser.wait(lambda: browser.script("return arguments[0].complete && arguments[0].naturalWidth", shown) == 640, "a cover of 640 pixels")
    red, blue = browser.script("""const c = document.createElement('canvas'); c.width = c.height = 640; const p = c.getContext('2d'); p.drawImage(arguments[0], 0, 0);
        const d = p.getImageData(30, 300, 1, 1).data; return [d[0], d[2]]""", shown)
    assert blue > 200 and red < 60, (red, blue)


@story("drop", "a browser that cannot cut pictures offers no cover, and says so once", person="Maya", widths=("desk",))
@requirements("R-PC-007")
def no_cover(browser):
    browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.createImageBitmap"})
    browser.driver.get_log("browser")
    mix_chosen(browser)
    assert not browser.has("h2", "Cover") and not browser.driver.find_elements("css selector", "input[accept='image/*']")
    warnings = [e for e in browser.driver.get_log("browser") if "covers are not edited" in e["message"]]
    assert len(warnings) == 1, warnings


def slowly(browser, rate):
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 5, "downloadThroughput": -1, "uploadThroughput": rate})


def begun(browser, title):
    """A drop that is under way, slowly, and of which something has arrived."""
    mix_chosen(browser, sound(browser.stage, "long.wav", "win-game.ogg", 60))
    value(browser, "title", title)
    slowly(browser, 1_500_000)
    browser.click(".actions button", "Send")
    browser.wait(lambda: browser.script("return document.querySelector('.parts progress')?.value || 0") > 1_000_000, "some of it is there", 30)
    assert not browser.find(".actions button", "Publish").is_enabled()


def first_range(browser):
    """Where the first part that is sent begins, by the log of the network since it was last asked."""
    for entry in browser.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent" and message["params"]["request"]["method"] == "PUT":
            headers = {k.lower(): v for k, v in message["params"]["request"]["headers"].items()}
            if "content-range" in headers:
                return int(headers["content-range"].split()[1].split("-")[0])
    return None


@story("drop", "a reload in the middle of sending goes on where it was", person="Maya", expected=("net::ERR",))
@requirements("R-PC-076")
def reload(browser):
    begun(browser, "Reloaded")
    assert "draft=" in browser.path
    browser.driver.get_log("performance")
    browser.reload()
    slowly(browser, -1)
    all_there(browser, 60)
    assert first_range(browser) >= 1_000_000, "it began anew"
    assert browser.find("[name=title]").get_attribute("value") == "Reloaded"
    published(browser)
    browser.find("h1", "Reloaded")


@story("drop", "a service that is restarted in the middle gets the rest when it is back", person="Maya", expected=("Failed to load resource", "net::ERR"))
def restart(browser):
    begun(browser, "Restarted")
    port = browser.service.port
    browser.service.stop()
    browser.sees("Waiting for the service", "main")
    slowly(browser, -1)
    browser.service.start(port)
    all_there(browser, 60)
    published(browser)
    browser.find("h1", "Restarted")


@story("drop", "giving up leaves nothing, and what was entered before sending outlives a reload", person="Nobody Else")
@requirements("R-PC-077")
def gives_up(browser):
    mix_chosen(browser)
    value(browser, "title", EVIL[:50])
    time.sleep(0.6)
    browser.reload()
    browser.find(".chosen .tag", "Mix")
    assert browser.find("[name=title]").get_attribute("value") == EVIL[:50]
    browser.click(".actions button", "Send")
    all_there(browser)
    browser.click(".actions button", "Discard the draft")
    browser.wait(lambda: browser.path == "/drop", "the empty form")
    browser.find(".actions button", "Send")
    browser.open("/authors/Nobody%20Else")
    browser.sees("No pieces were found")


@story("drop", "markup in titles and names is text", person="Maya")
def markup(browser):
    path = browser.stage.folder / "<img src=x> loop.wav"
    if not path.exists():
        run("cp", sound(browser.stage, "loop.wav"), path)
    mix_chosen(browser, path)
    value(browser, "title", EVIL)
    browser.click(".actions button", "Send")
    all_there(browser)
    published(browser)
    browser.find("h1", EVIL)
    assert not browser.driver.find_elements("css selector", "main img, main b")
