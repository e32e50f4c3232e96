"""The picture with the landmarks of an answer, on the first page."""
from .stories import EARSHOT, MUSIC, run, story


def opened(browser):
    """Opens the picture, and waits until it is drawn. Returns how many colors it has."""
    # What arrives above it moves it: people press again, too.
    browser.wait(lambda: browser.has("details.landmarks[open]") or not browser.click("details.landmarks summary"), "the part opened")
    browser.find("details.landmarks canvas")
    return browser.wait(lambda: browser.script("""
        const canvas = document.querySelector('details.landmarks canvas');
        if (!canvas.width || canvas.width < 100) return 0;
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        const colors = new Set();
        for (let i = 0; i < data.length; i += 16) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        return colors.size"""), "the picture")


def counts(browser):
    """The numbers in the legend: shared, all."""
    words = browser.text("details.landmarks").replace(",", "").split()
    place = words.index("of")
    return int(words[place - 1]), int(words[place + 1])


@story("recognize", "a person looks at why the recording was recognized")
def microphone(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    assert opened(browser) > 50, "the picture has no spectrogram"
    shared, everything = counts(browser)
    assert everything > 50 and 0 < shared <= everything
    told = browser.find("details.landmarks canvas").get_attribute("aria-label")
    assert str(shared) in told.replace(",", "") and "Spectrogram" in told, told


@story("recognize", "a file that is recognized has its picture too, and most landmarks are shared", microphone=None)
def file(browser):
    browser.open("/")
    browser.choose_file("#app input[type=file]", MUSIC / "warm-ink.ogg")
    browser.find(".answer h2", "Warm Ink")
    assert opened(browser) > 50
    shared, everything = counts(browser)
    assert shared > everything / 2, (shared, everything)


@story("recognize", "a signature has landmarks and no sound, which the page says", microphone=None)
def signature(browser):
    path = browser.downloads / "clip.earsig"
    run(EARSHOT, "signature", MUSIC / "cold-day.ogg", "-o", path)
    browser.open("/")
    browser.choose_file("#app input[type=file]", path)
    browser.find(".answer h2", "Cold Day")
    opened(browser)
    browser.sees("only its landmarks are shown")


@story("recognize", "the picture is drawn in the dark as well, and anew when the window changes", microphone=None)
def dark(browser):
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    browser.open("/")
    browser.choose_file("#app input[type=file]", MUSIC / "cold-day.ogg")
    browser.find(".answer h2", "Cold Day")
    opened(browser)
    def brightness():
        return browser.script("""
            const canvas = document.querySelector('details.landmarks canvas');
            const { data } = canvas.getContext('2d').getImageData(canvas.width / 4, 0, canvas.width / 2, canvas.height / 2);
            return data.reduce((sum, value, i) => sum + (i % 4 < 3 ? value : 0), 0) / (data.length * 0.75)""")

    dark = brightness()
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
    browser.wait(lambda: brightness() > dark + 20, "the picture in the light")


@story("recognize", "where nothing matches there is no picture", microphone="noise")
def nothing(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.wait(lambda: browser.has("#result h2", "Nothing matched"), "nothing matched", 30)
    assert not browser.has("details.landmarks")
