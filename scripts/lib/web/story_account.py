"""The account of a person: browsers, apps, password, and its end."""
import time

from .stories import Browser, story
from .story_history import recognize, MUSIC

PASSWORD = "correct horse battery"


def person():
    return f"p{time.time_ns() % 10**12}"


def sign_in(browser, name, password=PASSWORD, back="/"):
    browser.open("/sign-in")
    browser.type("input[name=name]", name)
    browser.type("input[name=password]", password)
    browser.click("button[value=login]")
    browser.wait(lambda: browser.path == back or browser.has(".fault"), "an answer")
    return not browser.has(".fault")


def app_login(browser, name):
    """Logs a person in to an app, as the app's page does."""
    service = browser.service
    client = service.client(name="The <b>App</b>")
    status, told, _ = service.ask("PUT", "/v1/applications/sketcher", service.admin, {"identifier": "sketcher", "name": "The App", "client": client["id"]})
    assert status == 200, told
    token = service.token(client)
    status, told, _ = service.ask("POST", "/v1/device-authorizations", token)
    assert status in (200, 201), told
    # The page for devices asks who is there: in a browser of its own, which is signed in nowhere.
    other = Browser(browser.stage, browser.width, None)
    try:
        other.open("/device")
        other.type("input[name=code]", told["userCode"])
        other.click("main button")
        other.type("input[name=name]", name)
        other.type("input[name=password]", PASSWORD)
        other.click("button[value=login]")
        other.wait(lambda: not other.has("input[name=password]"), "the device logged in")
    finally:
        other.close()
    status, told, _ = service.ask("POST", "/v1/device-authorizations/answer", token, {"deviceCode": told["deviceCode"]})
    assert status == 200, told
    return service, client, told["user"]


@story("account", "a person signs out in another browser, which goes on as a visitor's")
def sessions(browser):
    name = person()
    browser.sign_in(name)
    other = Browser(browser.stage, browser.width, "good")
    try:
        assert sign_in(other, name)
        browser.open("/account")
        browser.sees(name)
        browser.wait(lambda: len(browser.all("[aria-labelledby=sessions] li")) == 2, "two browsers")
        browser.sees("this browser")
        browser.click("button", "Sign out there")
        browser.sees("You are signed in only in this browser")
        browser.reload()
        browser.wait(lambda: len(browser.all("[aria-labelledby=sessions] li")) == 1, "one browser")
        other.open("/account")
        other.find("input[name=password]")
        other.open("/")
        other.click("button.listen")
        other.find(".answer h2", "Cold Day")
        other.check()
    finally:
        other.close()


@story("account", "the password is changed: the wrong one is refused, other browsers and apps are signed out", expected=("403",))
def password(browser):
    name = person()
    browser.sign_in(name)
    other = Browser(browser.stage, browser.width, None)
    try:
        assert sign_in(other, name)
        browser.open("/account")
        fields = browser.wait(lambda: browser.all("form input[type=password]"), "the form")

        def change(*values):
            for field, value in zip(fields, values):
                field.clear()
                field.send_keys(value)
            browser.click("form button", "Change the password")

        change(PASSWORD, "short", "short")
        browser.sees("fewer than 8")
        change(PASSWORD, "another horse", "another house")
        browser.sees("are not the same")
        change("wrong horse", "another horse", "another horse")
        browser.sees("The current password is wrong")
        change(PASSWORD, "another horse", "another horse")
        browser.sees("The password was changed")
        browser.sees("You are signed in only in this browser")
        other.open("/account")
        other.find("input[name=password]")
        assert not sign_in(other, name)
        assert sign_in(other, name, "another horse")
    finally:
        other.close()


@story("account", "an app that was logged in to is logged out")
def apps(browser):
    name = person()
    browser.sign_in(name)
    browser.open("/account")
    browser.sees("No app is signed in to your account")
    service, client, user = app_login(browser, name)
    token = service.token(client, user)
    browser.reload()
    browser.sees("The <b>App</b>", "[aria-labelledby=logins]")
    assert not browser.all("[aria-labelledby=logins] b")
    browser.click("[aria-labelledby=logins] button", "Sign out")
    browser.sees("No app is signed in to your account")
    assert service.ask("GET", "/v1/users/me", token)[0] == 401
    assert browser.has("form[action='/sign-out']"), "still signed in here"


@story("account", "an account is deleted after its name was typed: nothing is left, and the name is free", expected=("403",))
def deletion(browser):
    name = person()
    browser.sign_in(name)
    recognize(browser, MUSIC / "cold-day.ogg")
    browser.open("/account")
    browser.click("button", "Delete the account …")
    browser.sees("It cannot be undone", "dialog")
    assert not browser.find("dialog button.danger").is_enabled()
    browser.type("dialog input", "somebody else")
    assert not browser.find("dialog button.danger").is_enabled()
    browser.click("dialog button", "Cancel")
    browser.reload()
    browser.sees(name)
    browser.click("button", "Delete the account …")
    browser.type("dialog input", name)
    browser.click("dialog button.danger")
    browser.sees("The account was deleted")
    browser.open("/history")
    browser.find("h2", "Sign in to keep a history")
    assert not sign_in(browser, name)
    browser.sign_in(name)
    browser.open("/history")
    browser.find("h2", "Nothing recognized yet")


@story("account", "the operator sees the operator's browsers", person="operator")
def operator(browser):
    browser.open("/account")
    browser.sees("You are the operator of this service")
    browser.sees("this browser")
    assert not browser.has("input[type=password]") and not browser.has("button", "Delete the account")


@story("account", "a visitor is led to sign in and back; a restart of the service is told and got over", expected=("ERR_CONNECTION", "net::ERR"))
def restart(browser):
    name = person()
    browser.sign_in(name)
    browser.click("form[action='/sign-out'] button")
    browser.find(".who a", "Sign in")
    browser.open("/account")
    browser.type("input[name=name]", name)
    browser.type("input[name=password]", PASSWORD)
    browser.click("button[value=login]")
    browser.sees(name)
    assert browser.path == "/account"
    second = Browser(browser.stage, browser.width, None)
    try:
        assert sign_in(second, name)
    finally:
        second.close()
    browser.reload()
    browser.find("button", "Sign out there")
    port = browser.service.port
    browser.service.stop()
    browser.click("button", "Sign out there")
    browser.sees("The service cannot be reached", ".fault")
    browser.service.start(port)
    browser.click("button", "Sign out there")
    browser.sees("You are signed in only in this browser")
