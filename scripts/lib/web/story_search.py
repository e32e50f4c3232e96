"""Searching for music, and the pages of tracks, albums and artists."""
import time
from urllib.parse import parse_qs, urlparse

from .stories import requirements, story


def held(browser):
    """The pages of results that the page holds."""
    return [int(n) for n in (browser.script("return document.getElementById('results').dataset.held ?? ''")).split()]


def requests(browser, part):
    """What the page has asked for, by a part of the address."""
    return browser.script("return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes(arguments[0]))", part)


def rows(browser):
    return [row.text.split("\n")[0] for row in browser.all("#results li.item")]


def seek(browser, words):
    browser.type("input[name=q]", words)
    browser.click("form[role=search] button")


@story("search", "a person pages through results without waiting; three pages of five are held")
@requirements("R-MC-219", "R-MC-220", "R-MC-221", "R-MC-222", "R-MC-223", "R-MC-225")
def pages(browser):
    browser.open("/search")
    seek(browser, "many roads")
    browser.sees("Results 1 to 5")
    browser.wait(lambda: held(browser) == [0, 1], "the next page held")
    seen = rows(browser)
    # From here on every answer takes long: what is held is shown at once all the same.
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 900, "downloadThroughput": -1, "uploadThroughput": -1})
    for number in range(1, 5):
        begin = time.time()
        browser.click("a[rel=next]")
        browser.sees(f"Results {5 * number + 1} to", "#results h2")
        assert time.time() - begin < 0.8, f"page {number} was waited for: {time.time() - begin:.2f} s"
        assert len(rows(browser)) == (3 if number == 4 else 5), rows(browser)
        seen += rows(browser)
        wanted = [number - 1, number] + ([number + 1] if number < 4 else [])
        browser.wait(lambda: held(browser) == wanted, f"pages {wanted} held", 8)
    assert len(set(seen)) == 23, seen
    asked = [parse_qs(urlparse(name).query).get("offset", ["0"])[0] for name in requests(browser, "/search?")]
    assert asked == ["5", "10", "15", "20"], f"each move fetches one page of five: {asked}"
    begin = time.time()
    browser.click("a[rel=prev]")
    browser.sees("Results 16 to 20", "#results h2")
    assert time.time() - begin < 0.8, "the previous page was waited for"
    browser.wait(lambda: held(browser) == [2, 3, 4], "the neighbors held again", 8)
    assert int(browser.script("return document.getElementById('results').dataset.mostRunning")) <= 5
    assert browser.script("return document.activeElement.tagName") == "H2", "the focus is on the results"


@story("search", "each page of results has an address: reload, back and forward lead there")
def addresses(browser):
    browser.open("/search?q=many+roads")
    browser.click("a[rel=next]")
    browser.sees("Results 6 to 10")
    browser.click("a[rel=next]")
    browser.sees("Results 11 to 15")
    third = rows(browser)
    assert browser.path == "/search?q=many+roads&offset=10", browser.path
    browser.reload()
    browser.sees("Results 11 to 15")
    assert rows(browser) == third
    browser.click("#results a[href^='/tracks/']")
    browser.find("h1", "Many Roads")
    browser.driver.back()
    browser.sees("Results 11 to 15")
    browser.driver.back()
    browser.sees("Results 6 to 10")
    browser.driver.back()
    browser.sees("Results 1 to 5")
    browser.driver.forward()
    browser.sees("Results 6 to 10")


@story("search", "without JavaScript words lead to results, to more of them, and to pages of tracks, albums and artists")
def plain(browser):
    browser.open("/")
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.open("/search")
    browser.type("input[name=q]", "many roads\n")
    browser.sees("Results 1 to 5")
    browser.driver.find_element("css selector", "a[rel=next]").click()
    browser.sees("Results 6 to 10")
    browser.driver.find_element("css selector", "#results li.item a").click()
    browser.find("h1", "Many Roads")
    browser.driver.find_element("css selector", "a[href='/albums/many']").click()
    browser.sees("23 tracks")
    browser.driver.find_element("css selector", ".by a").click()
    browser.find("h1", "The Many")
    browser.sees("Many Roads", "main li")
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    browser.reload()


@story("search", "words that are sung lead to their track, and its page recognizes nothing")
@requirements("R-MC-129")
def lyrics(browser):
    browser.open("/search")
    browser.click("input[name=in][value=lyrics]")
    seek(browser, "line 6 of the words")
    browser.find("#results a", "Cold Day")
    assert "in=lyrics" in browser.path
    browser.sees("of the <b>words</b>", ".line")
    browser.click("#results a", "Cold Day")
    browser.find("h1", "Cold Day")
    browser.sees("line 9 of the <b>words</b>", ".verses")
    browser.sees("Paul Shuler", ".by")
    assert not requests(browser, "/v1/recognitions"), "the page of a track asked what it is"


@story("search", "details of what was recognized are fetched by its identifier, not recognized again")
@requirements("R-MC-129")
def details(browser):
    browser.open("/")
    browser.click("button.listen")
    browser.find(".answer h2", "Cold Day")
    browser.click(".answer h2 a")
    browser.find("h1", "Cold Day")
    assert browser.path.startswith("/tracks/"), browser.path
    browser.sees("Electronic", "dl")
    assert not requests(browser, "/v1/recognitions")
    browser.click("dl a", "Sketches")
    browser.find("h1", "Sketches")
    browser.click("table a", "Snodom")
    browser.find("h1", "Snodom")
    assert browser.all("tr[aria-current]"), "the track stands in the list of its album"


@story("search", "titles are there while the pictures are not", expected=("/v1/content/",))
@requirements("R-MC-186")
def pictures(browser):
    browser.open("/")
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/v1/content/*"]})
    browser.open("/search?q=cold+day")
    browser.find("#results a", "Cold Day")
    assert browser.script("return [...document.querySelectorAll('#results img')].every((image) => !image.naturalWidth)")
    browser.click("#results a", "Cold Day")
    browser.find("h1", "Cold Day")
    browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    browser.reload()
    browser.wait(lambda: browser.script("return document.querySelector('.entity img')?.naturalWidth > 0"), "the cover")


@story("search", "titles full of markup are shown as they are, on every page")
def markup(browser):
    browser.open("/search?q=bold")
    browser.sees("<b>bold</b> & '<script>alert(1)</script>'", "#results")
    browser.click("#results a", "bold")
    browser.sees("<script>alert(1)</script>", "h1")
    browser.sees("<u>Genre</u>") if browser.has("dd", "<u>Genre</u>") else None
    browser.sees("<b>A review</b>")
    browser.sees("<b>Born</b>")
    browser.click("dl a", "<i>Album</i>")
    browser.find("h1", "<i>Album</i>")
    browser.click(".by a")
    browser.find("h1", "<img src=x onerror=alert(2)>")
    assert not browser.script("return document.querySelectorAll('main b, main i, main script, main img[src=x]').length")
    seek_path = "/search?q=%22%3E%3Cscript%3Ealert(3)%3C%2Fscript%3E"
    browser.open(seek_path)
    browser.find("h2", "No results")


@story("search", "nothing found, a missing page and a changed address say what to do", expected=("404",))
def missing(browser):
    browser.open("/search?q=xyzzyplugh")
    browser.find("h2", "No results for “xyzzyplugh”")
    browser.find("a", "Recognize what is playing")
    browser.open("/search?q=many+roads&offset=500")
    browser.sees("There are no more results")
    browser.click("a", "Go to the first results")
    browser.sees("Results 1 to 5")
    browser.open("/search?q=many+roads&offset=nonsense&in=stars")
    browser.sees("Results 1 to 5")
    for kind in ("tracks", "albums", "artists"):
        browser.open(f"/{kind}/none")
        browser.find("h1", "Page not found")
    browser.click("main a", "Search")
    browser.find("input[name=q]")


@story("search", "albums, artists and single fields narrow a search")
@requirements("R-MC-250")
def fields(browser):
    browser.open("/search")
    browser.click("input[name=in][value=albums]")
    seek(browser, "sketches")
    browser.find("#results a[href='/albums/sketches']")
    browser.click("input[name=in][value=artists]")
    seek(browser, "sindre")
    browser.click("#results a", "Sindre Froyn")
    browser.find("h1", "Sindre Froyn")
    browser.sees("Albums", "h2")
    browser.click("main a", "Search for tracks of Sindre Froyn")
    browser.sees("Main Screen", "#results")
    browser.click("details summary")
    browser.type("input[name=q]", "")
    browser.type("input[name=artist]", "sindre")
    browser.type("input[name=track]", "win")
    browser.click("form[role=search] button")
    browser.wait(lambda: rows(browser) == ["Win Game"], "the one track")
    assert browser.has("details[open] input[name=artist]"), "fields that are filled in are shown"


@story("search", "the service is restarted under the results: what is held is shown, and the rest after another try",
       expected=("ERR_CONNECTION", "net::ERR"))
def restart(browser):
    browser.open("/search?q=many+roads")
    browser.wait(lambda: held(browser) == [0, 1], "the next page held")
    port = browser.service.port
    browser.service.stop()
    browser.click("a[rel=next]")
    browser.sees("Results 6 to 10")
    browser.click("a[rel=next]")
    browser.sees("The service cannot be reached", ".fault")
    browser.service.start(port)
    browser.click(".fault button", "Try again")
    browser.sees("Results 11 to 15")
