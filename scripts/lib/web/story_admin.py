"""What the operator does: looks at the service, and changes what it serves and whom."""
import shutil
import time
from pathlib import Path
from urllib.parse import quote, urlencode

from selenium.webdriver.common.keys import Keys

from .stories import MUSIC, run, story

EVIL = "<b>bold</b> & '<script>alert(1)</script>'"


def ask(browser, method, path, body=None, kind=None, fine=(200, 201, 202, 204)):
    status, answer, _ = browser.service.ask(method, path, browser.service.admin, body, kind)
    assert status in fine, (method, path, status, answer)
    return answer


def restart(browser):
    """Ends the service and starts it at the same port."""
    port = browser.service.port
    browser.service.stop()
    browser.service.start(port)


def recognize(browser, count=3):
    """Has a client of its own recognize, so that there are figures."""
    token = browser.service.token(browser.service.client(name="Figures"))
    audio = (MUSIC / "cold-day.ogg").read_bytes()
    for _ in range(count):
        status, answer, _ = browser.service.ask("POST", "/v1/recognitions", token, audio, "audio/ogg")
        assert status == 200, answer


def made(browser, name, song="cold-day", begin=0, length=20):
    """A file of sound of its own, in a folder of the story's browser."""
    path = browser.downloads / name
    run("ffmpeg", "-v", "error", "-y", "-ss", begin, "-t", length, "-i", MUSIC / f"{song}.ogg", "-ac", "1", "-map_metadata", "-1", "-map_metadata:s", "-1", path)
    return path


def forget(browser, words):
    """Removes the references of a story: others recognize the same music."""
    for one in ask(browser, "GET", f"/v1/references?{urlencode({'q': words, 'limit': 1000})}")["references"]:
        ask(browser, "DELETE", f"/v1/references/{quote(one['id'], safe='')}")


def confirm(browser, words):
    """Says yes to what is asked."""
    browser.find("dialog[open]", words)
    browser.click("dialog[open] button[value=yes]")


# Overview.


@story("admin", "the operator opens the link of the service, and sees what is served and how it fares")
def link(browser):
    line = run(Path(browser.service.process.args[0]), "admin", "link", "--data", browser.stage.data)
    address = next(word for word in line.split() if "/sign-in/link" in word)
    browser.open(address)
    browser.open("/admin")
    browser.find("h2", "Overview")
    browser.sees("References", "dl.card")
    browser.wait(lambda: "–" not in browser.text(".tile:last-child .value"), "how long it runs")


@story("admin", "recognitions show in the figures and charts within seconds, without loading the page", person="operator")
def live(browser):
    browser.open("/admin")
    browser.find("h2", "Overview")
    browser.find(".tiles")
    recognize(browser)
    browser.wait(lambda: "Median of" in browser.text(".tiles"), "the median of recognitions", 20)
    browser.wait(lambda: "Recognitions" in (browser.find(".chart canvas").get_attribute("aria-label") or ""), "the chart in words", 20)
    browser.reload()
    browser.sees("Figures", ".usage")


@story("admin", "the service is restarted under the open page, which says so and goes on", person="operator", expected=("ERR_CONNECTION", "Failed to load"))
def restarted(browser):
    browser.open("/admin")
    browser.find("h2", "Overview")
    browser.wait(lambda: "second" in browser.text(".tiles") or "minute" in browser.text(".tiles"), "the figures")
    port = browser.service.port
    browser.service.stop()
    try:
        browser.sees("cannot be reached")
    finally:
        browser.service.start(port)
    browser.wait(lambda: "cannot be reached" not in browser.text(), "the figures again", 25)


@story("admin", "sections are reached by links and by the keyboard, and the way back leads back", person="operator")
def sections(browser):
    browser.open("/admin")
    for name, heading in (("references", "References"), ("clients", "Clients"), ("settings", "Settings")):
        browser.find(f".tabs a[data-section={name}]").send_keys(Keys.ENTER)
        browser.find("h2", heading)
        assert browser.path.startswith(f"/admin/{name}"), browser.path
    browser.driver.back()
    browser.find("h2", "Clients")
    browser.reload()
    browser.find("h2", "Clients")
    browser.open("/admin/nothing")
    browser.sees("Section not found")


@story("admin", "who has not signed in as the operator is led to the page for that")
def stranger(browser):
    browser.open("/admin/clients")
    browser.wait(lambda: browser.path.startswith("/sign-in"), "the page for signing in")
    browser.click("details summary")
    browser.type("input[name=token]", browser.service.admin)
    browser.click("button[value=operator]")
    browser.find("h2", "Clients")
    assert browser.path == "/admin/clients", browser.path


# References.


@story("admin-references", "three files are dropped: two become references, one has no sound and is tried again", person="operator", expected=("422", "Failed to load"))
def adds(browser):
    width = browser.width
    one, two = made(browser, f"Ada {width} - First {width}.ogg"), made(browser, f"second-{width}.ogg", "snodom", 5)
    bad = browser.downloads / f"broken-{width}.mp3"
    bad.write_bytes(b"no sound at all" * 100)
    browser.open("/admin/references")
    browser.find("details summary")
    if not browser.has(".drop"):
        browser.click("details summary", "Add references")
    browser.choose_file(".drop input[type=file]", one, two, bad)
    browser.wait(lambda: "2 of 3 done, 1 failed" in browser.text(".sends, details"), "two of three", 60)
    added = ask(browser, "GET", f"/v1/references?q=First%20{width}")
    assert added["total"] == 1 and added["references"][0]["title"] == f"First {width}", added
    browser.sees("audio of this file", ".sends")
    browser.click(".sends button", "Try again")
    browser.wait(lambda: "2 of 3 done, 1 failed" in browser.text("details"), "the same again", 30)
    browser.reload()
    browser.sees("These files were not sent before the page was loaded again (1)")
    forget(browser, f"Ada {width}")
    forget(browser, f"second-{width}")


@story("admin-references", "a reference is found by its name, and the search stays in the address", person="operator")
def searches(browser):
    for number in range(60):
        if ask(browser, "GET", "/v1/references?limit=1")["total"] > 60:
            break
        signature = browser.service.ask("GET", "/v1/references/Music%2Fsnodom.ogg/signature", browser.service.admin)[1]
        ask(browser, "POST", f"/v1/references?id=copy-{number:02d}&title=Copy%20{number}", signature, "application/vnd.earshot.signature")
    browser.open("/admin/references")
    browser.find("a[rel=next]").click()
    browser.wait(lambda: "offset=50" in browser.path, "the second page")
    browser.sees("Previous")
    browser.type(".search input", "copy 40" + Keys.ENTER)
    browser.find("tbody a", "Copy 40")
    browser.reload()
    browser.find("tbody a", "Copy 40")
    assert browser.find(".search input").get_attribute("value") == "copy 40"
    forget(browser, "copy-")


@story("admin-references", "the items of a reference are edited; markup stays text, and what is wrong is said", person="operator", expected=("400", "Failed to load"))
def edits(browser):
    before = ask(browser, "GET", "/v1/references/Music%2Fwin-game.ogg/items")
    ask(browser, "PUT", "/v1/references/Music%2Fwin-game.ogg/items", {"items": [{"title": EVIL, "level": {"$real": 3}}]})
    browser.open("/admin/references/Music%2Fwin-game.ogg")
    browser.find("h2", EVIL)
    browser.type("fieldset input", f"Win {browser.width}")
    browser.click("summary", "More properties") if not browser.has("textarea.code") else None
    browser.type("textarea.code", '{"level": {"$real": 4}, "timeRanges": [[5, 1]]}')
    browser.click("button", "Save")
    browser.sees("timeRanges", ".fault")
    browser.type("textarea.code", '{"level": {"$real": 4}, "timeRanges": [[1, 5]]}')
    browser.click("button", "Save")
    browser.sees("Saved")
    items = ask(browser, "GET", "/v1/references/Music%2Fwin-game.ogg/items")["items"]
    assert items[0]["title"] == f"Win {browser.width}" and items[0]["timeRanges"], items
    browser.reload()
    browser.find("h2", f"Win {browser.width}")
    ask(browser, "PUT", "/v1/references/Music%2Fwin-game.ogg/items", before)


@story("admin-references", "a reference is removed after a question, and not found any more", person="operator")
def removes(browser):
    signature = browser.service.ask("GET", "/v1/references/Music%2Fsnodom.ogg/signature", browser.service.admin)[1]
    ask(browser, "POST", f"/v1/references?id=gone-{browser.width}&title=Gone", signature, "application/vnd.earshot.signature")
    browser.open(f"/admin/references/gone-{browser.width}")
    browser.click("button.danger", "Remove")
    browser.click("dialog[open] button[value=no]")
    browser.gone("dialog[open]")
    browser.click("button.danger", "Remove")
    confirm(browser, "Gone")
    browser.wait(lambda: browser.path == "/admin/references", "the list")
    assert browser.service.ask("GET", f"/v1/references/gone-{browser.width}", browser.service.admin)[0] == 404


@story("admin-references", "a reference that is not there any more says so", person="operator", expected=("404", "Failed to load"))
def missing(browser):
    browser.open("/admin/references/nothing%2Fhere")
    browser.sees("no longer exists")


# Duplicates.


@story("admin-duplicates", "two copies of a recording are found, heard by turns, and one is removed", person="operator")
def duplicates(browser):
    copies = browser.stage.media / "copies"
    copies.mkdir(exist_ok=True)
    for song in ("main-screen", "snodom"):
        shutil.copy(MUSIC / f"{song}.ogg", copies)
    if not (copies / "late.ogg").exists():
        run("ffmpeg", "-v", "error", "-y", "-ss", 5, "-i", MUSIC / "main-screen.ogg", copies / "late.ogg")
        restart(browser)
    ask(browser, "PUT", "/v1/references/late.ogg?title=Late%20Screen", (copies / "late.ogg").read_bytes(), "audio/ogg")
    browser.wait(lambda: ask(browser, "GET", "/v1/references/late.ogg").get("asset"), "the file of the reference", 40)
    browser.open("/admin/duplicates")
    browser.click("button", "Compare all references")
    browser.wait(lambda: "All " in browser.text("main > div p[role=status], p[role=status]"), "the end of the comparison", 90)
    pair = browser.find("article", "Late Screen")
    assert "is a part of" in pair.text or "same recording" in pair.text, pair.text
    player = browser.find("article .player")
    player.find_element("css selector", "button").click()
    browser.wait(lambda: float(player.get_attribute("data-at") or 0) > 0.5, "playing", 20)
    player.find_elements("css selector", "button")[2].click()
    browser.wait(lambda: player.find_elements("css selector", "button")[2].get_attribute("aria-pressed") == "true", "the other one")
    browser.reload()
    browser.find("article", "Late Screen")
    side = next(side for side in browser.all("article .side") if "Late Screen" in side.text)
    side.find_element("css selector", "button.danger").click()
    confirm(browser, "Late Screen")
    browser.gone("article", "Late Screen")
    assert browser.service.ask("GET", "/v1/references/late.ogg", browser.service.admin)[0] == 404


@story("admin-duplicates", "a comparison that a reload interrupts goes on", person="operator")
def resumes(browser):
    browser.open("/admin/duplicates")
    browser.script("sessionStorage.setItem('earshot-duplicates', JSON.stringify({pairs: [], next: 0, total: 9, isRunning: true}))")
    browser.reload()
    browser.wait(lambda: "All " in browser.text("p[role=status]"), "the end of the comparison", 90)
    browser.find("button", "Compare again")


# Clients.


@story("admin-clients", "a client is added; its identifier is shown once, and works", person="operator")
def client(browser):
    browser.open("/admin/clients")
    browser.find("details summary")
    if not browser.has("details[open] input"):
        browser.click("details summary", "Add a client")
    browser.type("details input", f"{EVIL} {browser.width}")
    browser.click("details label", "References and catalogs")
    browser.click("details button", "Add a client")
    identifier = browser.text(".copyable code")
    status, answer, _ = browser.service.ask("POST", "/v1/tokens", None, {"client": identifier})
    assert status == 200, answer
    assert browser.service.ask("GET", "/v1/references", answer["token"])[0] == 200
    browser.find("tbody a", f"<b>bold</b>")
    browser.click(".note button", "I have saved it")
    browser.gone(".note")
    browser.reload()
    browser.find("tbody a", "<b>bold</b>")
    assert identifier not in browser.text()


@story("admin-clients", "a client is held to a quota and disabled, and refused from then on", person="operator")
def quota(browser):
    made = browser.service.client(name=f"Held {browser.width}")
    token = browser.service.token(made)
    browser.open(f"/admin/clients/{made['id']}")
    browser.find("h2", "Held")
    browser.type("input[type=number]", "7")
    browser.click("label", "This client is enabled")
    browser.click("button", "Save")
    browser.sees("is saved")
    client = ask(browser, "GET", f"/v1/admin/clients/{made['id']}")
    assert client["quota"] == 7 and client["isEnabled"] is False and client["searchOrder"] == ["archive", "television", "music"], client
    assert browser.service.ask("GET", "/v1/users/me", token)[0] == 401
    browser.reload()
    assert browser.find("input[type=number]").get_attribute("value") == "7"


@story("admin-clients", "a user is removed, the identifier renewed, the client removed", person="operator")
def users(browser):
    made = browser.service.client(name=f"Users {browser.width}")
    token = browser.service.token(made)
    status, user, _ = browser.service.ask("POST", "/v1/users", token)
    assert status == 201
    browser.open(f"/admin/clients/{made['id']}")
    browser.sees(user["id"])
    browser.click("td button", "Remove")
    confirm(browser, user["id"])
    browser.gone("td", user["id"])
    browser.click("button", "New identifier")
    confirm(browser, "new identifier")
    identifier = browser.text(".copyable code")
    assert identifier != made["identifier"]
    assert browser.service.ask("POST", "/v1/tokens", None, {"client": made["identifier"]})[0] == 401
    assert browser.service.ask("POST", "/v1/tokens", None, {"client": identifier})[0] == 200
    browser.click(".note button")
    browser.click("button", "Remove the client")
    confirm(browser, "Users")
    browser.wait(lambda: browser.path == "/admin/clients", "the list")
    assert browser.service.ask("GET", f"/v1/admin/clients/{made['id']}", browser.service.admin)[0] == 404


@story("admin-clients", "all keys are replaced: tokens of before are worth nothing, and the page goes on", person="operator", expected=("401", "403", "Failed to load"))
def keys(browser):
    token = browser.service.token()
    browser.open("/admin/clients")
    browser.click("button", "Replace all keys")
    confirm(browser, "all keys")
    browser.sees("The new key is in use")
    assert browser.service.ask("GET", "/v1/search?q=a", token)[0] == 401
    browser.click("button", "Add a new key")
    browser.wait(lambda: not browser.has(".fault"), "no fault")


# Sessions, audit log, log, settings.


@story("admin-sessions", "the operator ends the session of somebody who is signed out by that", person="operator")
def sessions(browser):
    browser.open("/admin/sessions")
    browser.find("tr", "This browser")
    status, _, answer = browser.service.ask("GET", "/sign-in")
    assert status == 200
    browser.click("tr:has(.tag) button", "End")
    browser.click("dialog[open] button[value=no]")
    browser.gone("dialog[open]")
    assert browser.find("tr", "This browser")
    browser.click("tr:has(.tag) button", "End")
    confirm(browser, "own session")
    browser.wait(lambda: browser.path == "/", "the first page")
    browser.open("/admin")
    browser.wait(lambda: browser.path.startswith("/sign-in"), "signed out")


@story("admin-audit", "a change is found by who made it and what it was; the whole log is downloaded", person="operator")
def audit(browser):
    made = browser.service.client(name="Audited")
    ask(browser, "PATCH", f"/v1/admin/clients/{made['id']}", {"quota": 3})
    browser.open("/admin/audit")
    browser.find("tbody strong", "changeClient")
    browser.sees("The log is complete")
    browser.type(".filter input[type=search]", "operator")
    browser.driver.find_elements("css selector", ".filter input[type=search]")[1].send_keys(made["id"] + Keys.ENTER)
    browser.wait(lambda: "what=" in browser.path, "the search in the address")
    browser.wait(lambda: [row.text for row in browser.all("tbody tr")] and all(made["id"] in row.text for row in browser.all("tbody tr")), "its entries alone")
    browser.reload()
    browser.find("tbody tr", made["id"])
    browser.click("a", "Download")
    lines = browser.downloaded("audit-*.log").read_text().splitlines()
    assert any("changeClient" in line for line in lines)


@story("admin-audit", "a long log is paged from the latest entry to the oldest", person="operator")
def older(browser):
    total = ask(browser, "GET", "/v1/admin/audit?limit=1")["count"]
    for _ in range(max(0, 110 - total)):
        ask(browser, "POST", "/v1/admin/keys?keep=1")
    browser.open("/admin/audit")
    browser.click("a", "Older")
    browser.wait(lambda: "before=" in browser.path, "the older ones")
    browser.find("a", "Latest")
    before = int(browser.path.partition("before=")[2].partition("&")[0])
    told = ask(browser, "GET", f"/v1/admin/audit?before={before}&limit=1")
    browser.find("tbody tr", told["entries"][0]["what"])


@story("admin-log", "lines of the log appear by themselves, by level, and are saved", person="operator")
def log(browser):
    browser.open("/admin/log")
    browser.find("h2", "Log")
    browser.find(".logbox, p.dim")
    # The service of the stories logs warnings alone.
    browser.find("select").send_keys("Errors")
    browser.wait(lambda: "level=error" in browser.path, "the level in the address")
    browser.reload()
    browser.wait(lambda: browser.find("select").get_attribute("value") == "error", "the level")
    browser.click("button", "Download")
    browser.downloaded("earshot.log")


@story("admin-settings", "settings tell their origin; those that are set are found", person="operator")
def settings(browser):
    browser.open("/admin/settings")
    row = browser.find("tr", "logLevel")
    assert "warning" in row.text and "Option" in row.text, row.text
    assert "Variable" in browser.find("tr", "reservedSpace").text
    browser.type("input[type=search]", "upload")
    browser.gone("tr", "logLevel")
    browser.find("tr", "uploadLimit")
    browser.type("input[type=search]", " ")
    browser.click("label", "Only those that are set")
    browser.gone("tr", "uploadLimit")
    browser.find("tr", "mediaRoots")


# Catalogs and jobs.


@story("admin-catalogs", "a check, a backup and a new version run as jobs whose progress shows", person="operator")
def jobs(browser):
    browser.open("/admin/catalogs")
    browser.click("button", "Check for damage")
    browser.find(".job[data-state=done]", "nothing is wrong")
    browser.click("button", "Back up now")
    browser.wait(lambda: any("Backup" in job.text for job in browser.all(".job[data-state=done]")), "the backup", 60)
    browser.find("code", "earshot admin restore backups/2")
    browser.type("form.card input", f"Songs-{browser.width}")
    browser.click("form.card button", "Publish the catalog")
    browser.find("td a", f"Songs-{browser.width}")
    browser.reload()
    browser.find("td a", f"Songs-{browser.width}")
    browser.find(".job", "Publish the catalog")


@story("admin-catalogs", "a catalog file is merged, and one that is damaged is told", person="operator")
def merges(browser):
    folder = browser.downloads / "m"
    folder.mkdir()
    shutil.copy(made(browser, f"merged-{browser.width}.ogg", "main-screen", 10, 25), folder)
    catalog = browser.downloads / "other.earcat"
    run(browser.service.process.args[0], "catalog", "create", folder, "-o", catalog)
    damaged = browser.downloads / "damaged.earcat"
    damaged.write_bytes(b"EARSHCAT" + bytes(500))
    browser.open("/admin/catalogs")
    browser.choose_file(".drop input[type=file]", catalog, damaged)
    browser.wait(lambda: any("1 references added" in job.text for job in browser.all(".job[data-state=done]")), "merged", 40)
    browser.wait(lambda: browser.has(".job[data-state=failed]"), "the damaged one", 40)
    assert ask(browser, "GET", f"/v1/references?q=merged-{browser.width}")["total"] == 1
    forget(browser, f"merged-{browser.width}")


@story("admin-catalogs", "a restart in the middle of a backup begins it again, and the open page follows", person="operator", expected=("ERR_CONNECTION", "Failed to load", "ERR_INCOMPLETE", "net::"))
def interrupted(browser):
    browser.open("/admin/catalogs")
    browser.find("h2", "Catalogs")
    browser.click("button", "Back up now")
    browser.find(".job", "Backup")
    restart(browser)
    browser.wait(lambda: browser.find(".job", "Backup").get_attribute("data-state") == "done", "the backup after the restart", 60)


# Music.


@story("admin-music", "a table is imported with its rejects, and lyrics find their track", person="operator")
def imports(browser):
    table = browser.downloads / f"table-{browser.width}.csv"
    table.write_text(f'title,artist,year,genre\n"Import {browser.width}",Imported,1999,Nothing Known\nNo Artist,,,\n"{EVIL}",Imported,1998,\n')
    words = browser.downloads / f"Imported - Import {browser.width}.lrc"
    words.write_text("[00:01.00]one\n[00:02.00]two\n")
    browser.open("/admin/music")
    browser.choose_file(".drop input[type=file]", table)
    browser.wait(lambda: "1 of 1 done" in browser.text("details"), "the table", 30)
    browser.sees("Skipped: 1", ".sends")
    browser.choose_file(".drop input[type=file]", words)
    browser.wait(lambda: "2 of 2 done" in browser.text("details"), "the words", 30)
    browser.sees(f"Lyrics of “Import {browser.width}”", ".sends")
    browser.click(".sends a", "Report")
    browser.find("h2", "Report")
    browser.find("td", "artist")
    browser.sees("Nothing Known")
    browser.reload()
    browser.find("td", "artist")


@story("admin-music", "a table that is none says why", person="operator")
def nothing(browser):
    table = browser.downloads / "bad.csv"
    table.write_text("no,columns\n1,2\n")
    browser.open("/admin/music")
    browser.choose_file(".drop input[type=file]", table)
    browser.wait(lambda: "1 failed" in browser.text("details"), "the failure", 30)
    browser.sees("is not known", ".sends")


@story("admin-music", "a track is found, edited, and shows in the search from then on", person="operator", expected=("400", "Failed to load"))
def track(browser):
    browser.open("/admin/music")
    browser.type(".search input", "win game" + Keys.ENTER)
    browser.click("tbody a", "Win Game")
    browser.find("h2", "Win Game")
    inputs = browser.all("form input")
    inputs[3].clear()
    inputs[3].send_keys("2012-05")
    inputs[4].clear()
    inputs[4].send_keys("No Such Genre")
    browser.click("button", "Save")
    browser.sees("names no genre", ".fault")
    inputs[4].clear()
    inputs[4].send_keys("Electronic")
    browser.click("button", "Save")
    browser.sees("is saved")
    track = ask(browser, "GET", "/v1/admin/tracks/win-game")
    assert track["date"] == "2012-05" and track["genres"], track
    browser.reload()
    browser.wait(lambda: len(browser.all("form input")) > 4, "the form")
    browser.wait(lambda: browser.all("form input")[3].get_attribute("value") == "2012-05", "the date")


@story("admin-music", "titles full of markup stay text where they are edited", person="operator")
def markup(browser):
    browser.open("/admin/music/evil")
    browser.find("h2", "<script>")
    assert browser.script("return document.querySelectorAll('#app script, #app b, #app img').length") == 0
