import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// The pages on which people log in for a device, by RFC 8628: the first one asks for the code, the second one names the app and asks for
/// consent.
extension LoginController {
    /// Returns the page that asks for the code.
    func devicePage(
        _ context: RequestContext,
        code: String = "",
        fault: String? = nil
    ) throws(EarshotError) -> Response {
        try page(context, sealing: ["device"], code: code, fault: fault)
    }

    /// Handles a form of either page: looks up the code, logs in for it, or refuses it.
    func logInDevice(_ context: RequestContext) async throws -> Response {
        let form = try await context.form()
        let (typed, expiry) = (form["code"] ?? "", form.integer("expires"))
        let code = LoginService.userCode(typed)
        let isAnswer = ["login", "create", "refuse"].contains(form["action"])
        let waiting: LoginCode
        do throws(EarshotError) {
            if isAnswer {
                // The seal of the second page covers the code, so the person has seen which app asks. Without it the code is not looked up:
                // only the first page counts guesses of codes.
                try login.check(form["seal"], of: ["device", code], until: expiry)
                waiting = try await login.waitingCode(code)
            } else {
                try login.check(form["seal"], of: ["device"], until: expiry)
                waiting = try await login.waitingCode(code, from: RequestOrigin(context.address))
            }
        } catch {
            let fault = LoginFaults.text(error, "", PageWords(texts: try pages.texts(for: context).texts))
            return try again(error, try devicePage(context, code: typed, fault: fault))
        }
        guard isAnswer else {
            context.noteNoChange()
            return try await questionPage(context, waiting, code)
        }
        let entry = entry(form)
        context.note("action", form["action"] ?? "")
        do throws(EarshotError) {
            return try await answer(form["action"] != "refuse", for: code, entry, context)
        } catch {
            await note(entry, context)
            let words = PageWords(texts: try pages.texts(for: context).texts)
            let fault = LoginFaults.text(error, entry.name, words)
            let page = try await questionPage(context, waiting, code, name: entry.name, fault: fault)
            return try again(error, page)
        }
    }

    /// Approves or refuses the login that a code stands for.
    private func answer(
        _ isYes: Bool,
        for code: String,
        _ entry: LoginService.Entry,
        _ context: RequestContext
    ) async throws(EarshotError) -> Response {
        let words = PageWords(texts: try pages.texts(for: context).texts)
        guard isYes else {
            try await login.refuse(code)
            return try pages.response(
                NoticePage(title: words("login.refused"), text: words("login.refusedHelp")),
                for: context
            )
        }
        let author = try await login.author(entry, from: RequestOrigin(context.address))
        context.note("name", author.name.text)
        try await login.approve(code, author)
        return try pages.response(
            NoticePage(title: words("login.done"), text: words("login.doneHelp")),
            for: context
        )
    }

    /// Returns a page that is shown again with a fault.
    ///
    /// - Throws: The fault if the person at the page cannot mend it.
    private func again(_ fault: EarshotError, _ page: Response) throws(EarshotError) -> Response {
        guard [.accessDenied, .requestInvalid, .tooManyRequests].contains(fault.code) else { throw fault }
        var page = page
        if fault.code == .tooManyRequests { page.status = .tooManyRequests }
        return page
    }

    /// Returns the page that names the app and asks for consent.
    private func questionPage(
        _ context: RequestContext,
        _ waiting: LoginCode,
        _ code: String,
        name: String = "",
        fault: String? = nil
    ) async throws(EarshotError) -> Response {
        let words = PageWords(texts: try pages.texts(for: context).texts)
        let begin = waiting.expires.addingTimeInterval(-LoginService.deviceLifetime)
        let question = LoginPage.Question(
            application: try await application(of: waiting.client) ?? words("login.unnamedApp"),
            code: LoginService.shown(code),
            age: Self.age(from: begin, to: context.now, words)
        )
        return try page(context, sealing: ["device", code], question: question, name: name, fault: fault)
    }

    /// Returns the name of the app that asks as a client: the names of the registered apps of the client, or the client's own. `nil` if there
    /// is neither.
    private func application(of client: String) async throws(EarshotError) -> String? {
        let names = try await login.store.applications().filter { $0.client == client }.map(\.name)
        guard names.isEmpty else { return names.joined(separator: ", ") }
        let name = try await logins.users.accounts.client(client)?.name ?? ""
        return name.isEmpty ? nil : name
    }

    /// Returns a duration in whole minutes, in the language of a page.
    static func age(from begin: Date, to now: Date, _ words: PageWords) -> String {
        let minutes = Int(max(0, now.timeIntervalSince(begin)) / 60)
        return switch minutes {
        case 0: words("login.justNow")
        case 1: words("login.minuteAgo")
        default: words("login.minutesAgo", ["count": "\(minutes)"])
        }
    }

    private func page(
        _ context: RequestContext,
        sealing content: [String],
        code: String? = nil,
        question: LoginPage.Question? = nil,
        name: String = "",
        fault: String?
    ) throws(EarshotError) -> Response {
        let expiry = Int(context.now.timeIntervalSince1970 + LoginService.pageLifetime)
        var hidden = [
            LoginPage.Field(name: "expires", value: "\(expiry)"),
            LoginPage.Field(name: "seal", value: login.seal(content, until: expiry)),
        ]
        if let question { hidden.append(LoginPage.Field(name: "code", value: question.code)) }
        return try pages.response(
            LoginPage(
                title: PageWords(texts: try pages.texts(for: context).texts)("login.titleDevice"),
                action: "/device",
                hidden: hidden,
                code: code,
                question: question,
                asksPassword: question != nil,
                name: name,
                fault: fault
            ),
            for: context,
            fault == nil ? .ok : .forbidden
        )
    }
}
