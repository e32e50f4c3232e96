"""Recognizing, at the first page."""
import shutil
import statistics
import time

from local_service import Service

from .long_files import endless, film, foreign, long_wave, looped, made, memory, slow_upload, uploads, watch_uploads
from .stories import EARSHOT, MUSIC, Browser, requirements, run, story
from .story_collection import proposed, sketches


@story("recognize", "a person presses the button, and sees what is playing; a tone tells once that the recording is over")
@requirements("R-MC-241")
def listens(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.sees("Cold Day")
    browser.find(".answer h2", "Cold Day")
    first = browser.text(".answer .number")
    time.sleep(1.2)
    assert browser.text(".answer .number") != first, "the position stands still"
    assert browser.script("return document.getElementById('app').dataset.tones") == "1"


@story("recognize", "noise is nothing, and the page says what to do", microphone="noise")
@requirements("R-MC-240", "R-MC-243", "R-MC-245", "R-MC-248")
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


@story("recognize", "without a microphone the button is off and says why, and a file is recognized", microphone=None)
@requirements("R-MC-252", "R-MC-253")
def file(browser):
    browser.open("/")
    browser.sees("No microphone was found")
    assert not browser.find("button.listen").is_enabled()
    browser.choose_file("input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")
    browser.sees("File: 1 found")
    assert not browser.find("button.listen").is_enabled(), "the file brought no microphone"


@story("recognize", "canceling ends the recording before another one can begin", microphone="noise")
@requirements("R-MC-047", "R-MC-048", "R-MC-049")
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


@story("recognize", "a microphone that is refused is told, and the page stays of use")
@requirements("R-CC-088", "R-MC-077")
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


@story("recognize", "everything that can be recognized and looked up has its way in", person="Grace")
@requirements("R-MC-251")
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
    browser.find("h1", "Albums of a folder")
    browser.choose_file("input[webkitdirectory]", sketches(browser.stage))
    proposed(browser)
    browser.find(".proposal h3", "Sketches")
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


@story("recognize", "each time that nothing is found another tip is given", microphone=None)
@requirements("R-MC-244")
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


@story("recognize", "several files are recognized together, and one that has no sound does not keep the others", microphone=None, expected=("422", "400"))
@requirements("R-MC-249")
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
    browser.sees("Choose a tab, and share its audio too")
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


@story("recognize", "an empty file and one that is gone are told by name, and a name in any script is taken", microphone=None)
def unusual(browser):
    folder = browser.stage.folder
    (folder / "nothing at all.mp3").write_bytes(b"")
    browser.open("/")
    browser.sees("No microphone was found")
    watch_uploads(browser)
    browser.choose_file("#app input[type=file]", folder / "nothing at all.mp3")
    browser.find("#result .fault", "“nothing at all.mp3” is empty")
    assert not browser.has("#result .fault button", "Try again")
    # A folder that is dropped is a file that cannot be read, as is one that was removed since.
    browser.script("""
        const data = new DataTransfer();
        const file = new File(['x'], 'my folder');
        file.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) });
        Object.defineProperty(data, 'files', { value: [file] });
        document.getElementById('app').querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    """)
    browser.find("#result .fault", "“my folder” cannot be read")
    assert not uploads(browser), "it was sent"
    named = folder / "寒い 日 – é & <b>.ogg"
    shutil.copy(MUSIC / "cold-day.ogg", named)
    browser.choose_file("#app input[type=file]", named)
    browser.find(".answer h2", "Cold Day")


@story("recognize", "a recording of 70 MB is cut on the page, and recognized soon", microphone=None)
def cut(browser):
    path = long_wave(browser.stage)
    assert path.stat().st_size > 70_000_000
    browser.open("/")
    browser.sees("No microphone was found")
    watch_uploads(browser)
    began = time.time()
    browser.choose_file("#app input[type=file]", path)
    browser.find(".answer h2", "Cold Day")
    [sent] = uploads(browser)
    browser.note(f"recognized after {time.time() - began:.1f} s, by {sent / 1e6:.1f} MB of {path.stat().st_size / 1e6:.0f} MB")
    assert sent < 10_000_000, sent
    assert not browser.has("#result a", "Search the whole file"), "six minutes are no mix"


@story("recognize", "recordings of other kinds are cut as well: a film that is described at its end, and sound that no browser plays", microphone=None)
def cut_others(browser):
    stage = browser.stage
    browser.open("/")
    browser.sees("No microphone was found")
    watch_uploads(browser)
    for path, title in [(film(stage), "Warm Ink"), (looped(stage, "long.aiff", 120), "Cold Day"), (looped(stage, "long.flac", 180), "Cold Day"),
                        (looped(stage, "long.m4a", 240, "-c:a", "aac", "-b:a", "192k", song="warm-ink.ogg"), "Warm Ink")]:
        browser.choose_file("#app input[type=file]", path)
        browser.find(".answer h2", title)
        sent, size = uploads(browser)[-1], path.stat().st_size
        browser.note(f"{path.name}: {sent / 1e6:.1f} MB of {size / 1e6:.1f} MB")
        assert sent < size * 0.7, (path.name, sent, size)
        browser.script("document.getElementById('result').replaceChildren()")


@story("recognize", "a recording of an hour is recognized by its begin, and leads to its tracklist", microphone=None)
def hour(browser):
    once = looped(browser.stage, "part.mp3", 120, "-b:a", "96k")
    path = made(browser.stage, "hour.mp3", "-stream_loop", "-1", "-i", once, "-t", "3600", "-c", "copy")
    browser.open("/")
    browser.sees("No microphone was found")
    browser.choose_file("#app input[type=file]", path)
    browser.find(".answer h2", "Cold Day")
    browser.sees("Only its beginning was searched")
    browser.click("#result a", "Search the whole file")
    browser.find("h1", "Tracklist of a mix")


@story("recognize", "a recording of 3 GB is recognized, and is not read into memory", microphone=None, widths=("desk",))
def endless_recording(browser):
    path = endless(browser.stage)
    browser.open("/")
    browser.sees("No microphone was found")
    before = memory(browser)
    browser.choose_file("#app input[type=file]", path)
    browser.find(".answer h2", "Cold Day")
    grown = memory(browser) - before
    browser.note(f"the browser's memory grew by {grown / 1e6:.0f} MB")
    assert grown < 300_000_000, grown


@story("recognize", "a large file that cannot be cut is refused in words that name it, its size and the limit", microphone=None)
def too_large(browser):
    path = foreign(browser.stage, 370)
    browser.open("/")
    browser.sees("No microphone was found")
    watch_uploads(browser)
    browser.choose_file("#app input[type=file]", path)
    browser.find("#result .fault", "tape 370.w64 has 71 MB. The service takes 67.1 MB at most.")
    browser.find("#result .fault", "Save it as MP3")
    assert not uploads(browser), "it was sent"
    assert not browser.has("#result button", "Try again"), "it is as large at the next attempt"
    browser.choose_file("#app input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")


@story("recognize", "canceling ends an upload at once, and the next attempt works", microphone=None)
@requirements("R-MC-047")
def cancels_upload(browser):
    path = foreign(browser.stage, 60)
    browser.open("/")
    browser.sees("No microphone was found")
    with slow_upload(browser, 100_000):
        browser.choose_file("#app input[type=file]", path)
        browser.find("#result h2", "tape 60.w64")
        browser.wait(lambda: 0 < float(browser.find("#result progress").get_attribute("value")) < 1, "progress")
        browser.sees(" of 11.5 MB")
        browser.click("#result button", "Cancel")
        browser.wait(lambda: not browser.all("#result > *"), "the page at rest", 1)
        browser.sees("Canceled.")
        assert browser.script("return document.getElementById('app').dataset.state") == "idle"
        # Several are ended together.
        browser.choose_file("#app input[type=file]", path, foreign(browser.stage, 61))
        browser.wait(lambda: len(browser.all("#result progress")) == 2, "two uploads")
        browser.click("#result button", "Cancel")
        browser.wait(lambda: len([row for row in browser.all("#result li") if "Canceled." in row.text]) == 2, "both canceled", 2)
    assert not browser.has("#result button", "Cancel")
    browser.choose_file("#app input[type=file]", path)
    browser.find(".answer h2", "Cold Day")


@story("recognize", "an upload may take longer than the page waits for an answer", microphone=None, widths=("desk",))
def slow(browser):
    path = foreign(browser.stage, 20)
    browser.open("/")
    browser.sees("No microphone was found")
    with slow_upload(browser, 150_000):
        began = time.time()
        browser.choose_file("#app input[type=file]", path)
        browser.wait(lambda: browser.has(".answer h2", "Cold Day") or browser.has(".fault"), "an answer, or a fault", 60)
    browser.note(f"answered after {time.time() - began:.0f} s")
    assert time.time() - began > 22 and browser.has(".answer h2", "Cold Day"), browser.text("#result")
