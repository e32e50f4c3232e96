"""What people do with the pages, in a real browser: each story is a function that is played at the width of a desk and of a phone."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import needed
from local_service import EARSHOT, ROOT, Service
from requirements import requirements

needed.programs({"chromium": "chromium", "chromedriver": "chromium-driver", "ffmpeg": "ffmpeg"})
# Without it Japanese is boxes, which take less room.
needed.files({"/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf": "fonts-ipafont-gothic"})
needed.modules("selenium", "axe_core_python")
from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.by import By

WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}
MUSIC = ROOT / "Samples/Music"


@dataclass
class Story:
    page: str
    text: str
    body: object
    #: What the microphone hears: a name of `Stage.sounds`, or None for a browser without one.
    microphone: str | None
    #: None for a visitor, "operator", or the name of an author, who is signed in.
    person: str | None
    widths: tuple
    #: Messages of the console that belong to the story, such as an answer of 404 that it asks for.
    expected: tuple


STORIES = []
#: Sounds for the microphone that stories need besides those of the stage: a function of the stage, which gives a path, by a name.
SOUNDS = {}


def story(page, text, *, microphone="good", person=None, widths=("desk", "phone"), expected=()):
    """Registers a story. Its function is given a Browser, and does what people do; it fails by an AssertionError. The requirements that
    it proves are named by `requirements` below, which prints them at each width."""
    def register(body):
        STORIES.append(Story(page, text, body, microphone, person, widths, expected))
        return body
    return register


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


class Stage:
    """A service with the sample music, and sounds for the microphone."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.data = self.folder / "data"
        self.media = self.folder / "media"
        self.data.mkdir(mode=0o700)
        self.media.mkdir()
        for song in sorted(MUSIC.glob("*.ogg")):
            # A link would lead out of the folder, which the service refuses.
            shutil.copy(song, self.media)
        run(EARSHOT, "catalog", "create", MUSIC, "-o", self.data / "catalog.earstore")
        self.seed_music()
        self.sounds = {name: self.sound(name, *filters) for name, filters in {
            # A recording as a microphone of a phone hears it in a room.
            "good": ("cold-day.ogg", 8, "aecho=0.8:0.7:30:0.3,highpass=f=200,lowpass=f=5000"),
            "other": ("warm-ink.ogg", 12, "highpass=f=150,lowpass=f=7000"),
            "noise": (None, 0, None),
        }.items()}
        self.sounds.update({name: make(self) for name, make in SOUNDS.items()})
        self.service = Service(self.data, "--media-root", f"music={self.media}", "--export-folder", self.folder / "exports",
                               *(["--no-open"]))
        (self.folder / "exports").mkdir()
        self.service.start()
        self.others = []

    def seed_music(self):
        """Music whose tracks are the references, and more of it: titles full of markup among them."""
        rows = ["track_id,title,artist,album,album_id,year,genre,mood,tempo,title_jpn,artist_biography,album_review,origin,era"]
        for stem, title, artist, album in [
                ("cold-day", "Cold Day", "Paul Shuler (Macroform)", "Sketches"), ("warm-ink", "Warm Ink", "_ghost", "Ink"),
                ("main-screen", "Main Screen", "Sindre Froyn", "Ink"), ("snodom", "Snodom", "Jordan Trudgett", "Sketches"),
                ("win-game", "Win Game", "Sindre Froyn", "Sketches")]:
            rows.append(f'{stem},{title},{artist},{album},{album.lower()},2011,Electronic,Peaceful,120,,Born.,A review.,USA,2010')
        # What is full of markup stays text.
        evil = '"<b>bold</b> & \'<script>alert(1)</script>\'"'
        rows.append(f'evil,{evil},<img src=x onerror=alert(2)>,<i>Album</i>,evil-album,2021,<u>Genre</u>,Happy,90,,<b>Born</b>.,<b>A review</b>.,USA,2010')
        for number in range(1, 24):
            rows.append(f'many-{number:02d},Many Roads {number},The Many,Many Roads,many,2001,Rock,Happy,100,,,,,')
        table = self.folder / "table.csv"
        table.write_text("\n".join(rows) + "\n")
        run(EARSHOT, "import", "table", table, "--database", self.data / "music.sqlite")
        words = self.folder / "lyrics"
        words.mkdir()
        (words / "cold day.lrc").write_text(
            "[ar:Paul Shuler (Macroform)]\n[ti:Cold Day]\n"
            + "".join(f"[00:{n:02d}.00]line {n} of the <b>words</b>\n" for n in range(0, 60, 3)))
        run(EARSHOT, "import", "lyrics", words, "--database", self.data / "music.sqlite")

    def sound(self, name, song, begin, filters):
        path = self.folder / f"{name}.wav"
        source = ["-ss", str(begin), "-i", str(MUSIC / song)] if song else ["-f", "lavfi", "-i", "anoisesrc=c=pink:a=0.2:d=40:seed=7"]
        run("ffmpeg", "-v", "error", "-y", *source, *(["-af", filters] if filters else []), "-t", "40", "-ac", "1", "-ar", "48000", path)
        return path

    def also(self, service):
        """Starts another service, which ends with the stage."""
        self.others.append(service.start())
        return service

    def close(self):
        for service in [self.service, *self.others]:
            if service.process.poll() is None:
                service.stop()


class Browser:
    """A browser as a person uses it. Elements are found by CSS; what is not there yet is waited for."""

    patience = 15

    def __init__(self, stage, width, microphone):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        size = WIDTHS[width]
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-component-update",
                         "--disable-background-networking", "--disable-sync", "--no-first-run", "--autoplay-policy=no-user-gesture-required",
                         "--lang=en", f"--window-size={size[0]},{size[1]}"):
            options.add_argument(argument)
        if microphone:
            options.add_argument("--use-fake-device-for-media-stream")
            options.add_argument("--use-fake-ui-for-media-stream")
            options.add_argument(f"--use-file-for-fake-audio-capture={stage.sounds[microphone]}")
        self.downloads = Path(tempfile.mkdtemp(dir=stage.folder))
        options.add_experimental_option("prefs", {"download.default_directory": str(self.downloads), "intl.accept_languages": "en"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        if width == "phone":
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": size[0], "height": size[1], "deviceScaleFactor": 2, "mobile": True})
        self.stage, self.service, self.width = stage, stage.service, width
        #: What a story has measured.
        self.notes = []

    def note(self, words):
        self.notes.append(words)

    # Going places.

    def open(self, path):
        self.driver.get(path if "://" in path else self.service.base + path)

    def reload(self):
        self.driver.refresh()

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.service.base)

    def sign_in(self, person):
        """Signs in as the operator, or as an author, who is made if there is none."""
        self.open("/sign-in")
        if person == "operator":
            self.click("details summary")
            self.type("input[name=token]", self.service.admin)
            self.click("button[value=operator]")
        else:
            self.type("input[name=name]", person)
            self.type("input[name=password]", "correct horse battery")
            self.click("button[value=create]")
            self.wait(lambda: self.has(".fault") or self.has("form[action='/sign-out']"), "an answer")
            if self.has(".fault"):
                self.type("input[name=name]", person)
                self.type("input[name=password]", "correct horse battery")
                self.click("button[value=login]")
        self.wait(lambda: self.path == "/" and self.has("form[action='/sign-out']"), "signed in")
        # An account that is there already is refused once.
        self.driver.get_log("browser")

    # Looking.

    def find(self, css, text=None):
        """An element that is shown; with `text`, one whose words have it."""
        return self.wait(lambda: self._look(css, text), f"{css} {text or ''}")

    def _look(self, css, text=None):
        for element in self.driver.find_elements(By.CSS_SELECTOR, css):
            try:
                if element.is_displayed() and (text is None or text in element.text):
                    return element
            except StaleElementReferenceException:
                continue
        return None

    def has(self, css, text=None):
        return self._look(css, text) is not None

    def all(self, css):
        return [element for element in self.driver.find_elements(By.CSS_SELECTOR, css) if element.is_displayed()]

    def text(self, css="main"):
        return self.find(css).text

    def sees(self, words, css="main"):
        """Waits until words stand somewhere."""
        self.wait(lambda: any(words in element.text for element in self.driver.find_elements(By.CSS_SELECTOR, css)), f"the words {words!r}")

    def gone(self, css, text=None):
        self.wait(lambda: not self.has(css, text), f"{css} gone")

    def wait(self, condition, what, patience=None):
        end = time.time() + (patience or self.patience)
        while True:
            try:
                value = condition()
            except (NoSuchElementException, StaleElementReferenceException):
                value = None
            if value:
                return value
            if time.time() > end:
                raise AssertionError(f"waited for {what}; the page says: {self.driver.find_element(By.TAG_NAME, 'body').text[:600]!r}")
            time.sleep(0.05)

    def script(self, code, *values):
        return self.driver.execute_script(code, *values)

    # Doing.

    def click(self, css, text=None):
        element = self.find(css, text)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        return element

    def type(self, css, words, clear=True):
        element = self.find(css)
        if clear:
            element.clear()
        element.send_keys(words)
        return element

    def choose_file(self, css, *paths):
        """Gives files to an input, which need not be shown."""
        self.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, css), css)[0].send_keys("\n".join(str(p) for p in paths))

    def downloaded(self, pattern="*"):
        return self.wait(lambda: [p for p in self.downloads.glob(pattern) if not p.name.endswith(".crdownload")], f"the download {pattern}")[0]

    def picture(self, path):
        size = WIDTHS[self.width]
        height = self.script("return Math.max(document.documentElement.scrollHeight, 400)")
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "format": "png", "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": size[0], "height": min(height, 3000), "scale": 1}})
        import base64
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    # Judging.

    def check(self, expected=()):
        """No errors in the console, no other host, nothing that a screen reader stumbles over, nothing wider than the page."""
        for entry in self.driver.get_log("browser"):
            if entry["level"] == "SEVERE" and not any(part in entry["message"] for part in expected):
                raise AssertionError(f"the console says: {entry['message']}")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = message["params"]["request"]["url"]
                if not address.startswith((self.service.base, "data:", "blob:", "about:", "chrome")):
                    raise AssertionError(f"the page asks another host: {address}")
        self.check_access()
        with self.dark():
            self.check_access("in the dark: ")
        wide = self.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, f"the page is {wide} pixels wider than the window"

    def check_access(self, where=""):
        """Nothing that axe calls serious: contrast, names, roles, order."""
        found = [f for f in Axe().run(self.driver)["violations"] if f["impact"] in ("serious", "critical")]
        assert not found, where + "; ".join(f"{f['id']}: {f['nodes'][0]['html'][:200]} {f['nodes'][0]['failureSummary'][:300]}" for f in found)

    @contextlib.contextmanager
    def dark(self):
        """Shows the page in dark colors for a while, whichever the story has chosen."""
        before = "dark" if self.script("return matchMedia('(prefers-color-scheme: dark)').matches") else "light"
        self.prefer("dark")
        # Colors change gradually where the style says so, and canvases are drawn anew.
        time.sleep(0.3)
        try:
            yield
        finally:
            self.prefer(before)

    def prefer(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def close(self):
        self.driver.quit()


def table(rows):
    """The results as a table in Markdown."""
    def cell(words):
        # Titles full of markup are told as text.
        return str(words).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")

    lines = ["| page | story | width | passed | seconds | notes |", "|---|---|---|---|---|---|"]
    for row in rows:
        cells = (row["page"], row["story"], row["width"], "yes" if row["passed"] else "no", f"{row['seconds']:.1f}", "; ".join(row["notes"]))
        lines.append("| " + " | ".join(cell(c) for c in cells) + " |")
    passed = sum(row["passed"] for row in rows)
    return "\n".join([*lines, "", f"{passed} of {len(rows)} passed in {sum(row['seconds'] for row in rows):.0f} s."]) + "\n"


def play(names, widths, keep):
    """Plays stories, and prints a table. Returns whether all passed."""
    keep = Path(keep)
    keep.mkdir(parents=True, exist_ok=True)
    rows, failed = [], 0
    with tempfile.TemporaryDirectory(prefix="earshot-web-") as folder:
        stage = Stage(folder)
        try:
            for number, entry in enumerate(STORIES, 1):
                if names and not any(name in (entry.page, f"{entry.page}-{number}") for name in names):
                    continue
                for width in entry.widths:
                    if width not in widths:
                        continue
                    began, fault = time.time(), None
                    browser = Browser(stage, width, entry.microphone)
                    try:
                        if entry.person:
                            browser.sign_in(entry.person)
                        entry.body(browser)
                        browser.check(entry.expected)
                    except Exception as error:
                        fault = f"{type(error).__name__}: {error}"
                        if not isinstance(error, AssertionError):
                            fault += "\n" + traceback.format_exc()
                    try:
                        name = f"{entry.page.strip('/').replace('/', '-') or 'home'}-{number}-{width}"
                        browser.picture(keep / f"{name}.png")
                        with browser.dark():
                            browser.picture(keep / f"{name}-dark.png")
                    finally:
                        browser.close()
                    seconds = time.time() - began
                    rows.append({"page": entry.page, "story": entry.text, "width": width, "passed": fault is None,
                                 "seconds": round(seconds, 1), "notes": browser.notes})
                    failed += fault is not None
                    print(f"{'ok  ' if fault is None else 'FAIL'} {entry.page:12} {width:5} {seconds:5.1f} s  {entry.text}", flush=True)
                    for words in browser.notes:
                        print(f"     {words}", flush=True)
                    if fault:
                        print("     " + fault.replace("\n", "\n     "), flush=True)
        finally:
            stage.close()
    (keep / "stories.json").write_text(json.dumps(rows, indent=1))
    (keep / "stories.md").write_text(table(rows))
    for row in rows:
        # What a person waits for most.
        for words in row["notes"]:
            if "to the answer" in words:
                print(f"{row['page']}, {row['width']}: {words}")
    print(f"{len(rows) - failed} of {len(rows)} passed; pictures in {keep}")
    return failed == 0
