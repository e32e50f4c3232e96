"""Recognizing, at the first page."""
import statistics
import time

from local_service import Service

from .stories import EARSHOT, MUSIC, Browser, run, story


# requirements("R-MC-241")
@story("recognize", "a person presses the button, and sees what is playing; a tone tells once that the recording is over")
def listens(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.sees("Cold Day")
    browser.find(".answer h2", "Cold Day")
    first = browser.text(".answer .number")
    time.sleep(1.2)
    assert browser.text(".answer .number") != first, "the position stands still"
    assert browser.script("return document.getElementById('app').dataset.tones") == "1"


# requirements("R-MC-240", "R-MC-243", "R-MC-245", "R-MC-248")
@story("recognize", "noise is nothing, and the page says what to do", microphone="noise")
def nothing(browser):
    browser.open("/")
    browser.sees("Hold the microphone near the loudspeaker")
    browser.click("button.listen")
    early = browser.wait(lambda: float(browser.find("progress").get_attribute("value")), "progress")
    browser.wait(lambda: float(browser.find("progress").get_attribute("value")) > early + 1, "more progress")
    browser.wait(lambda: browser.has("#result h2", "Nothing matched"), "nothing matched", 30)
    browser.find("#result button", "Listen again")
    browser.click("fieldset button", "hum")
    browser.sees("Only released recordings")


# requirements("R-MC-252", "R-MC-253")
@story("recognize", "without a microphone the button is off and says why, and a file is recognized", microphone=None)
def file(browser):
    browser.open("/")
    browser.sees("No microphone was found")
    assert not browser.find("button.listen").is_enabled()
    browser.choose_file("input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")
    browser.sees("File: 1 found")
    assert not browser.find("button.listen").is_enabled(), "the file brought no microphone"


# requirements("R-MC-047", "R-MC-048", "R-MC-049")
@story("recognize", "canceling ends the recording before another one can begin", microphone="noise")
def cancels(browser):
    browser.open("/")
    browser.find("button.listen", "Listen")
    browser.script("""
        const app = document.getElementById('app'), button = document.querySelector('button.listen');
        window.states = [];
        new MutationObserver(() => states.push([app.dataset.state, button.disabled, button.textContent]))
            .observe(app, { attributes: true, attributeFilter: ['data-state'] });""")
    browser.click("button.listen")
    browser.wait(lambda: "Listening" in browser.text("main [role=status]"), "listening")
    time.sleep(2.5)
    browser.click("button.listen", "Cancel")
    browser.sees("Canceled.")
    time.sleep(3)
    assert not browser.all("#result > *"), "something came after canceling"
    assert browser.find("button.listen", "Listen").is_enabled()
    states = browser.script("return states")
    ending = [state for state in states if state[0] == "canceling"]
    assert ending and all(disabled and "Cancel" in text for _, disabled, text in ending), states
    assert states.index(ending[0]) > 0 and states[-1][:2] == ["idle", False], states


# requirements("R-MC-077", "R-CC-088")
@story("recognize", "a microphone that is refused is told, and the page stays of use")
def refused(browser):
    browser.open("/")
    browser.find("button.listen", "Listen")
    browser.script("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))")
    browser.click("button.listen")
    browser.sees("Allow it in the settings")
    assert not browser.find("button.listen").is_enabled()
    browser.choose_file("#app input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")


@story("recognize", "the answer comes soon after the sound that it takes", widths=("desk",))
def soon(browser):
    browser.open("/")
    times = []
    for _ in range(9):
        browser.find("button.listen", "Listen")
        browser.script("""
            const result = document.getElementById('result');
            result.replaceChildren();
            window.answered = null;
            const watch = new MutationObserver(() => {
                if (!result.querySelector('.answer h2')) return;
                window.answered = performance.now() - window.pressed;
                watch.disconnect();
            });
            watch.observe(result, { childList: true, subtree: true });
            document.querySelector('button.listen').addEventListener('click', () => { window.pressed = performance.now(); }, { capture: true, once: true });""")
        browser.click("button.listen")
        times.append(browser.wait(lambda: browser.script("return window.answered"), "an answer", 20) / 1000)
        time.sleep(0.5)
    browser.note(f"from the button to the answer: median {statistics.median(times):.2f} s, {min(times):.2f} to {max(times):.2f} s")
    assert statistics.median(times) <= 3.3, times


# requirements("R-MC-251")
@story("recognize", "everything that can be recognized and looked up has its way in", person="Grace")
def everything(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    browser.sees("in your history")
    fingerprint, samples = browser.downloads / "clip.earsig", browser.downloads / "samples.wav"
    run(EARSHOT, "signature", MUSIC / "snodom.ogg", "-o", fingerprint)
    run("ffmpeg", "-v", "error", "-ss", "5", "-i", MUSIC / "main-screen.ogg", "-t", "10", "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", samples)
    browser.click("details summary", "file")
    for path, title in ((fingerprint, "Snodom"), (samples, "Main Screen"), (MUSIC / "win-game.ogg", "Win Game")):
        browser.choose_file("#app input[type=file]", path)
        browser.find(".answer h2", title)
    browser.click("nav a", "Albums")
    browser.find("input[webkitdirectory], button")
    browser.find("h1", "Albums of a folder")
    browser.click("nav a", "Search")
    browser.type("input[name=q]", "warm ink\n")
    browser.find("#results a", "Warm Ink")
    browser.click("input[name=in][value=lyrics]")
    browser.type("input[name=q]", "line 6 of the words\n")
    browser.find("#results a", "Cold Day")
    browser.click("nav a", "History")
    for title in ("Cold Day", "Snodom", "Main Screen", "Win Game"):
        browser.sees(title)


@story("recognize", "a newcomer opens the link of an empty service, drops a song, and recognizes it")
def newcomer(browser):
    data = browser.stage.folder / f"new-{browser.width}"
    data.mkdir(mode=0o700)
    browser.service = browser.stage.also(Service(data, "--no-open"))
    began = time.time()
    browser.open(run(EARSHOT, "admin", "link", "--data", data).split()[-1])
    browser.sees("no recordings yet")
    browser.click("a", "Add recordings")
    browser.choose_file("#app input[type=file]", MUSIC / "cold-day.ogg")
    browser.sees("Cold Day")
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    browser.note(f"from the link to the answer: {time.time() - began:.1f} s")


@story("recognize", "the first page is small, and its files come once", microphone=None, widths=("phone",))
def small(browser):
    def sent():
        return browser.script("""
            return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .filter((entry) => entry.initiatorType !== 'img').reduce((sum, entry) => sum + entry.transferSize, 0)""")

    browser.open("/")
    browser.sees("No microphone was found")
    first = sent()
    browser.reload()
    browser.sees("No microphone was found")
    browser.note(f"the first page: {first / 1000:.0f} kB, and {sent() / 1000:.0f} kB when it is loaded again")
    assert first < 100_000, first


# requirements("R-MC-244")
@story("recognize", "each time that nothing is found another tip is given", microphone=None)
def tips(browser):
    noise = browser.stage.sounds["noise"]
    browser.open("/")
    seen = []
    for _ in range(5):
        browser.choose_file("#app input[type=file]", noise)
        browser.wait(lambda: browser.has("#result h2", "Nothing matched"), "nothing matched")
        seen.append(browser.text("#result section"))
        browser.script("document.getElementById('result').replaceChildren()")
    browser.sees("File: 0 found")
    assert len(set(seen)) == 5, seen


# requirements("R-MC-249")
@story("recognize", "several files are recognized together, and one that has no sound does not keep the others", microphone=None, expected=("422", "400"))
def several(browser):
    browser.open("/")
    other = browser.downloads / "notes.txt"
    other.write_text("no sound")
    songs = ["cold-day", "warm-ink", "main-screen", "snodom", "win-game"]
    browser.choose_file("#app input[type=file]", *[MUSIC / f"{song}.ogg" for song in songs], browser.stage.sounds["noise"], other)
    for title in ("Cold Day", "Warm Ink", "Main Screen", "Snodom", "Win Game"):
        browser.find("#result li", title)
    browser.find("#result li", "Nothing matched")
    browser.find("#result li .bad", "audio of this file")
    browser.sees("File: 5 found")


@story("recognize", "a file is dropped anywhere on the page; one of which nothing is known leads to its tracklist", microphone=None)
def dropped(browser):
    browser.open("/")
    browser.sees("No microphone was found")
    browser.driver.execute_async_script("""
        const [begin, done] = arguments;
        const bytes = new Float32Array(44100 * 4).map(() => Math.random() - 0.5);
        const header = new DataView(new ArrayBuffer(44));
        'RIFF'.split('').forEach((c, i) => header.setUint8(i, c.charCodeAt(0)));
        'WAVEfmt '.split('').forEach((c, i) => header.setUint8(8 + i, c.charCodeAt(0)));
        header.setUint32(4, 36 + bytes.byteLength, true); header.setUint32(16, 16, true); header.setUint16(20, 3, true); header.setUint16(22, 1, true);
        header.setUint32(24, 44100, true); header.setUint32(28, 176400, true); header.setUint16(32, 4, true); header.setUint16(34, 32, true);
        'data'.split('').forEach((c, i) => header.setUint8(36 + i, c.charCodeAt(0)));
        header.setUint32(40, bytes.byteLength, true);
        const data = new DataTransfer();
        data.items.add(new File([header, bytes], 'noise.wav', { type: 'audio/wav' }));
        const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector('h1').dispatchEvent(event);
        done(event.defaultPrevented);""", 0)
    browser.find("#result h2", "Nothing matched")
    browser.find("#result a", "Search the whole file")
    assert not browser.has("#result button", "Listen again"), "there is no microphone"


@story("recognize", "another tab is listened to, and a share without sound is told")
def tab(browser):
    browser.open("/")
    browser.find("button.listen", "Listen")
    browser.script("navigator.mediaDevices.getDisplayMedia = () => Promise.reject(new DOMException('none', 'NotFoundError'))")
    browser.click("button", "Listen to another tab")
    browser.sees("Choose a tab, and share its sound too")
    browser.script("navigator.mediaDevices.getDisplayMedia = () => navigator.mediaDevices.getUserMedia({ audio: true })")
    browser.click("button", "Listen to another tab")
    browser.find(".answer h2", "Cold Day")


@story("recognize", "the service is started again while somebody listens, and the next try is answered", expected=("net::ERR", "Failed to load"))
def restarted(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.wait(lambda: "Listening" in browser.text("main [role=status]"), "listening")
    port = browser.service.port
    browser.service.stop()
    browser.service.start(port)
    browser.wait(lambda: browser.has(".answer h2", "Cold Day") or browser.has(".fault"), "an answer, or a fault", 30)
    if browser.has(".fault"):
        browser.click(".fault button", "Try again")
    browser.find(".answer h2", "Cold Day")


@story("recognize", "two people listen at the same time, and each hears of their own music", widths=("desk",))
def together(browser):
    other = Browser(browser.stage, "phone", "other")
    try:
        for one in (browser, other):
            one.open("/")
            one.find("button.listen", "Listen")
        for one in (browser, other):
            one.click("button.listen")
        browser.find(".answer h2", "Cold Day")
        other.find(".answer h2", "Warm Ink")
    finally:
        other.close()
