"""The companion, and the editor of what it shows."""
import time
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from .stories import MUSIC, SOUNDS, requirements, run, story

REFERENCE = "Music/cold-day.ogg"
PATH = urllib.parse.quote(REFERENCE, safe="")


def jumps(stage):
    """A scripted playback of one song: from 8 s on, on to 40 s, back to 8 s, a pause, and on."""
    path = stage.folder / "jumps.wav"
    parts = [(8, 13), (40, 12), (8, 13), None, (21, 14)]
    inputs, chain = [], ""
    for index, part in enumerate(parts):
        inputs += ["-f", "lavfi", "-t", "16", "-i", "anullsrc=r=48000:cl=mono"] if part is None else ["-ss", str(part[0]), "-t", str(part[1]), "-i", str(MUSIC / "cold-day.ogg")]
        chain += f"[{index}:a]aresample=48000,aformat=channel_layouts=mono[a{index}];"
    chain += "".join(f"[a{i}]" for i in range(len(parts))) + f"concat=n={len(parts)}:v=0:a=1[out]"
    run("ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", chain, "-map", "[out]", path)
    return path


SOUNDS["jumps"] = jumps

LESSON = {
    "entries": [
        {"id": "sum", "title": "How many apples?", "start": 9, "end": 24, "answerRange": [10, 24], "requiresAnswer": True,
         "payload": {"choices": ["4", "5"], "answer": "5"}, "parts": [{"id": "left", "title": "2", "start": 9}, {"id": "right", "title": "+ 3", "start": 10}]},
        {"id": "colors", "title": "Which colors?", "start": 25, "end": 38, "answerRange": [25, 38], "requiresAnswer": True,
         "payload": {"choices": ["red", "green", "blue"], "several": True, "answer": ["red", "green"]}},
        {"id": "far", "title": "The <b>second</b> verse", "start": 40, "end": 56},
        {"id": "note", "title": "A picture", "start": 8, "end": 60, "lane": 1,
         "payload": {"picture": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==", "alternative": "A dot"}},
    ]
}


def prepare(browser, content=LESSON):
    status, told, _ = browser.service.ask("PUT", f"/v1/references/{PATH}/content", browser.service.admin, content)
    assert status == 200, told


def question(browser, words):
    return browser.wait(lambda: browser.has("form.question", words), f"the question {words!r}", 25)


@story("companion", "all recordings with content are listed before anything is heard", microphone=None)
@requirements("R-CC-104")
def lists(browser):
    prepare(browser)
    browser.service.ask("PUT", "/v1/references/Music%2Fwarm-ink.ogg/content", browser.service.admin, {"entries": [{"id": "a", "title": "Intro", "start": 0}]})
    browser.open("/companion")
    browser.find("main li", "Cold Day")
    browser.find("main li", "Warm Ink")
    browser.sees("entries: 4, questions: 2")
    browser.click("main li a", "Cold Day")
    browser.find("main h2", "Cold Day")
    browser.click("details summary", "Contents")
    browser.sees("Question: How many apples?")
    assert not browser.has("a", "Edit the timed content"), "visitors do not edit"


@story("companion", "the recording that is heard appears with its details, and what belongs to its place")
@requirements("R-CC-103")
def recognizes(browser):
    prepare(browser)
    browser.open("/companion")
    browser.click("button.listen")
    browser.wait(lambda: browser.has(".now h2", "Cold Day"), "the recording", 25)
    browser.find("#details", "Paul Shuler")
    browser.find("img.picture[alt='A dot']")
    browser.sees("In sync")
    assert browser.path == f"/companion/{PATH}"
    first = float(browser.script("return document.getElementById('app').dataset.position"))
    time.sleep(2)
    moved = float(browser.script("return document.getElementById('app').dataset.position")) - first
    assert 1 < moved < 4, moved


@story("companion", "a question is answered, and asked again when playback is rewound; skips and pauses are followed", microphone="jumps",
       expected=("422",))
@requirements("R-CC-105")
def followsJumps(browser):
    prepare(browser)
    browser.open("/companion")
    browser.click("button.listen")
    question(browser, "How many apples?")
    browser.wait(lambda: "+ 3" in browser.text("form.question"), "the second part")
    browser.click("form.question label", "5")
    browser.click("form.question button")
    browser.sees("Correct: 5")
    browser.wait(lambda: browser.has(".entry h3", "The <b>second</b> verse"), "the place after the skip", 25)
    question(browser, "How many apples?")
    browser.sees("Your previous answer: 5")
    assert browser.find("form.question button").is_enabled(), "the question is not asked again"
    browser.wait(lambda: browser.has("main [role=status]", "Waiting"), "the pause", 30)
    assert not browser.has("form.question button:enabled"), "answers count during a pause"
    browser.wait(lambda: browser.has("main [role=status]", "In sync"), "the sound again", 30)
    question(browser, "Which colors?")
    browser.click("form.question label", "red")
    browser.click("form.question label", "blue")
    browser.click("form.question button")
    browser.sees("Correct answer: red, green")
    browser.click("details.answers summary", "Your answers (2)")
    browser.sees("They are not sent")


@story("companion", "a page that is loaded again while it listens goes on, with the answers that were given")
def reload(browser):
    content = {"entries": [{"id": "w", "title": "Who sings?", "start": 0, "end": 100, "answerRange": [0, 100], "requiresAnswer": True}]}
    prepare(browser, content)
    browser.open("/companion")
    browser.click("button.listen")
    question(browser, "Who sings?")
    browser.type("form.question input", "nobody")
    browser.click("form.question button")
    browser.sees("Your answer: nobody")
    browser.reload()
    question(browser, "Who sings?")
    browser.sees("Your previous answer: nobody")
    browser.click("button.listen", "Stop")
    browser.find("button.listen", "Listen")


@story("companion", "the service is started again while somebody listens, and the companion goes on",
       expected=("Failed to load resource", "ERR_", "net::"))
def restart(browser):
    prepare(browser)
    browser.open("/companion")
    browser.click("button.listen")
    browser.wait(lambda: browser.has(".now h2", "Cold Day"), "the recording", 25)
    browser.service.stop()
    browser.wait(lambda: browser.has("main [role=status]", "cannot be reached"), "the outage", 25)
    browser.service.start(browser.service.port)
    browser.wait(lambda: browser.has("main [role=status]", "In sync"), "in step again", 30)


@story("companion", "without a microphone the button is off and says why; the page tells what it does with the sound", microphone=None)
@requirements("R-CC-088")
def noMicrophone(browser):
    browser.open("/companion")
    browser.sees("The browser asks for the microphone.")
    browser.find("[data-code=microphoneUnavailable]", "No microphone was found")
    assert not browser.find("button.listen").is_enabled()


@story("companion", "the page asks for the microphone, and says what to do when it is refused")
@requirements("R-CC-088")
def refusedMicrophone(browser):
    browser.open("/companion")
    browser.find("button.listen", "Listen")
    browser.script("navigator.mediaDevices.getUserMedia = (wanted) => { window.asked = wanted; return Promise.reject(new DOMException('refused', 'NotAllowedError')); }")
    browser.click("button.listen")
    browser.find(".fault[data-code=microphoneUnavailable]", "Allow it in the settings")
    assert browser.script("return !!window.asked.audio"), "nobody was asked"
    browser.find("button.listen", "Listen")


@story("companion-editor", "the operator lays an entry on the waveform, moves it with keys, undoes, saves, and it is there again", microphone=None, person="operator")
def editor(browser):
    browser.service.ask("DELETE", f"/v1/references/{PATH}/content", browser.service.admin)
    browser.open(f"/companion/{PATH}")
    browser.click("a", "Edit the timed content")
    browser.click("button", "Add an entry")
    block = browser.find("button.block")
    browser.type("#field-text", "Welcome", clear=False)
    browser.type("#field-start", "0:02")
    browser.script("document.activeElement.blur()")
    block = browser.find("button.block[aria-label*='Welcome']")
    block.send_keys(Keys.ARROW_RIGHT * 5)
    browser.wait(lambda: "0:02" in browser.find("button.block").get_attribute("aria-label"), "moved")
    assert browser.find("#field-start").get_attribute("value") == "0:02.5"
    block.send_keys(Keys.ALT + Keys.ARROW_RIGHT)
    browser.click("button", "Undo")
    browser.click("button", "Undo")
    assert browser.find("#field-start").get_attribute("value") == "0:02.4"
    browser.sees("Not saved")
    browser.click("button", "Save")
    browser.wait(lambda: browser.has("[role=status]", "Saved"), "saved")
    browser.reload()
    browser.find("button.block[aria-label*='Welcome']")
    status, told, _ = browser.service.ask("GET", f"/v1/references/{PATH}/content", browser.service.admin)
    assert told["timeline"]["entries"][0]["start"] == 2.4, told


@story("companion-editor", "an entry is dragged and resized with the mouse, and removed with a key", microphone=None, person="operator", widths=("desk",))
def drags(browser):
    prepare(browser, {"entries": [{"id": "a", "title": "Drag me", "start": 20, "end": 40}]})
    browser.open(f"/companion/{PATH}/edit")
    block = browser.find("button.block", "Drag me")
    before = browser.script("return parseFloat(document.querySelector('button.block').style.left)")
    ActionChains(browser.driver).move_to_element(block).click_and_hold().move_by_offset(80, 0).release().perform()
    after = browser.script("return parseFloat(document.querySelector('button.block').style.left)")
    assert abs(after - before - 80) < 6, (before, after)
    width = block.size["width"]
    edge = browser.find("button.block .edge.right")
    ActionChains(browser.driver).move_to_element(edge).click_and_hold().move_by_offset(-40, 0).release().perform()
    assert abs(browser.find("button.block").size["width"] - width + 40) < 6
    browser.find("button.block").send_keys(Keys.DELETE)
    browser.gone("button.block")
    browser.click("button", "Undo")
    browser.find("button.block", "Drag me")


@story("companion-editor", "a question with choices is made, tried with a recording on this machine, and answered", microphone=None, person="operator")
def makesQuestion(browser):
    browser.service.ask("DELETE", f"/v1/references/{PATH}/content", browser.service.admin)
    browser.open(f"/companion/{PATH}/edit")
    browser.click("button", "Add an entry")
    browser.type("#field-text", "What color?", clear=False)
    browser.script("const s = document.getElementById('field-kind'); s.value = 'question'; s.dispatchEvent(new Event('change'))")
    browser.find("#field-type")
    browser.script("const s = document.getElementById('field-type'); s.value = 'one'; s.dispatchEvent(new Event('change'))")
    browser.type("#field-choices", "red\nblue")
    browser.script("document.activeElement.blur()")
    browser.type("#field-right", "green")
    browser.script("document.activeElement.blur()")
    browser.sees("A correct answer has to be one of the choices.")
    browser.type("#field-right", "blue")
    browser.script("document.activeElement.blur()")
    browser.choose_file(".drop input[type=file]", MUSIC / "cold-day.ogg")
    browser.wait(lambda: browser.script("const a = document.querySelector('audio'); return a?.duration > 10"), "the recording")
    browser.script("document.querySelector('audio').currentTime = 1")
    browser.click("form.question label", "blue")
    browser.click("form.question button")
    browser.sees("Correct: blue")
    browser.click("button", "Save")
    browser.wait(lambda: browser.has("[role=status]", "Saved"), "saved")


@story("companion-editor", "what the service refuses is told, and a draft survives the page", microphone=None, person="operator", expected=("400",))
def refused(browser):
    prepare(browser, {"entries": [{"id": "a", "title": "One", "start": 5, "end": 10}]})
    browser.open(f"/companion/{PATH}/edit")
    browser.click("button.block", "One")
    browser.type("#field-end", "0:03")
    browser.script("document.activeElement.blur()")
    browser.sees("The end has to be after the start")
    browser.type("#field-text", "<img src=x onerror=alert(4)>")
    browser.script("document.activeElement.blur()")
    browser.script("window.onbeforeunload = null")
    browser.reload()
    browser.sees("Unsaved changes were restored.")
    browser.find("button.block[aria-label*='<img src=x onerror=alert(4)>']")
    bad = browser.downloads / "bad.json"
    bad.write_text('{"entries": [{"id": "a", "start": 5, "payload": {"picture": "https://example.com/a.png"}}]}')
    browser.script("window.confirm = () => true")
    browser.choose_file("input[accept^='.json']", bad)
    browser.find(".fault", "pictures of their own service alone")


@story("companion-editor", "lyrics of a file become content, and a reference without a source has a ruler", microphone=None, person="operator")
def imports(browser):
    song = (MUSIC / "snodom.ogg").read_bytes()
    browser.service.ask("PUT", "/v1/references/no-source?title=No%20source", browser.service.admin, song, "audio/ogg")
    try:
        browser.open("/companion/no-source/edit")
        words = browser.downloads / "words.lrc"
        words.write_text("[00:01.00]one\n[00:03.00]two\n")
        browser.choose_file("input[accept^='.json']", words)
        browser.find("button.block[aria-label*='one']")
        browser.click("details summary", "All entries (2)")
        browser.sees("two")
    finally:
        browser.service.ask("DELETE", "/v1/references/no-source", browser.service.admin)
