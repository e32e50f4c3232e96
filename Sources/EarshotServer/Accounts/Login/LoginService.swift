import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation

/// Logs people in, and creates the codes with which apps and devices get the login.
struct LoginService: Sendable {
    /// The validity of a code that an app gets in its address, in seconds.
    static let codeLifetime = 300.0
    /// The validity of the codes of a device, in seconds.
    static let deviceLifetime = 900.0
    /// The interval at which a device may poll, in seconds.
    static let deviceInterval = 5
    /// The time after which the form of a page expires, in seconds.
    static let pageLifetime = 3_600.0
    /// The 16 letters of user codes: consonants, as RFC 8628, 6.1 suggests, so that codes form no words.
    private static let userAlphabet = Array("BCDFGHJKLMNPQRST")

    static let nameTaken = EarshotError(.requestInvalid, "The name belongs to somebody else: choose another one.")

    static let otherPassword = EarshotError(
        .accessDenied,
        "This author has another password: to change it, give the present one as currentPassword."
    )
    static let wrongPassword = EarshotError(
        .accessDenied,
        "The name and the password do not match: check both and try again."
    )
    static let formExpired = EarshotError(.accessDenied, "The form has expired: load the page again.")

    let store: any PieceStore
    /// Counts wrong passwords.
    let logins: LoginGuard
    /// The queue in which passwords are compared: each takes 32 MiB.
    let queue: WorkQueue
    let keyring: Keyring
    let now: @Sendable () -> Date

    /// The input of a user in the form.
    struct Entry: Sendable {
        var name: String
        var password: String
        /// `true` if an account is to be created.
        var isNew: Bool
    }

    /// Returns the author with a name and a password, or creates it for a new account.
    ///
    /// - Throws: `accessDenied` if the password is wrong or there is no such author, `requestInvalid` for a new account whose name is taken or
    ///   invalid or whose password has a wrong length, `tooManyRequests`.
    func author(_ entry: Entry, from origin: RequestOrigin) async throws(EarshotError) -> PieceAuthor {
        let now = self.now()
        let key = AuthorName.key(of: String(entry.name.prefix(200)))
        let password = entry.password
        if entry.isNew {
            let name = try AuthorName(entry.name)
            try PasswordDigest.check(password)
            // Checked before anything is counted: a taken name is no failed login, and must not lock out its owner.
            guard try await store.author(named: name.key) == nil else { throw Self.nameTaken }
            let attempt = try await logins.addAccount(from: origin)
            do throws(EarshotError) {
                return try await newAuthor(name, password, from: origin, at: now)
            } catch {
                await logins.takeBack(attempt)
                throw error
            }
        }
        let attempt = try await logins.begin(.name(key), origin)
        let author = try await store.author(named: key)
        let isRight = try await hashing(from: origin) { () throws(EarshotError) in
            try PasswordDigest.matches(password, author?.password)
        }
        guard let author, isRight else { throw Self.wrongPassword }
        await logins.takeBack(attempt)
        return author
    }

    /// Returns the digest of the new password of an author.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - author: The author; `nil` for a new one.
    ///   - current: The present password; `nil` if none was sent. It is required, because an app in which the author is logged in must not
    ///     be able to change the password.
    ///   - origin: The origin of the request.
    /// - Throws: `accessDenied` if `current` is wrong, `requestInvalid` for a new password of a wrong length, `tooManyRequests`.
    func digest(
        of password: String,
        for author: PieceAuthor?,
        current: String?,
        from origin: RequestOrigin
    ) async throws(EarshotError) -> Data {
        try PasswordDigest.check(password)
        if let author, let known = author.password {
            let attempt = try await logins.begin(.name(author.name.key), origin)
            let isRight = try await hashing(from: origin) { () throws(EarshotError) in
                try PasswordDigest.matches(current ?? "", known)
            }
            guard isRight else { throw Self.otherPassword }
            await logins.takeBack(attempt)
        }
        return try await hashing(from: origin) { () throws(EarshotError) in try PasswordDigest.make(password) }
    }

    /// Hashes passwords in the queue, with the origin as the owner of the turn, so that many logins of one origin do not hold up others.
    private func hashing<Value: Sendable>(
        from origin: RequestOrigin,
        _ body: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let result: Result<Value, EarshotError> = await WorkOwner.$current.withValue(WorkOwner(client: origin.name)) {
            do throws(EarshotError) { return .success(try await queue.run(body)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func newAuthor(
        _ name: AuthorName,
        _ password: String,
        from origin: RequestOrigin,
        at now: Date
    ) async throws(EarshotError) -> PieceAuthor {
        let digest = try await hashing(from: origin) { () throws(EarshotError) in try PasswordDigest.make(password) }
        let author = PieceAuthor(id: Secrets.name(), name: name, password: digest, created: now)
        guard try await store.put(author) else { throw Self.nameTaken }
        return author
    }

    // MARK: - Codes

    /// Creates a code with which an app gets the login of an author.
    ///
    /// - Parameters:
    ///   - author: The author who has logged in.
    ///   - application: The app.
    ///   - challenge: The challenge that the verifier sent with the code must match; `nil` for an app that sends none.
    func code(
        for author: PieceAuthor,
        _ application: PieceApplication,
        challenge: String?
    ) async throws(EarshotError) -> String {
        let code = Secrets.text(32)
        try await store.put(
            LoginCode(
                digest: Secrets.digest(code),
                client: application.client,
                author: author.id,
                challenge: challenge,
                expires: now().addingTimeInterval(Self.codeLifetime)
            )
        )
        try await confirm(author)
        return code
    }

    /// Removes the codes of an author whose password was replaced since it was compared. A change of the password ends all logins, but it may
    /// have run before the code was stored.
    ///
    /// - Throws: `accessDenied`.
    private func confirm(_ author: PieceAuthor) async throws(EarshotError) {
        guard try await store.author(author.id)?.password != author.password else { return }
        try await store.removeCodes(ofAuthor: author.id)
        throw Self.wrongPassword
    }

    /// Creates the codes for a device of a client.
    func deviceCodes(_ client: String) async throws(EarshotError) -> (device: String, user: String) {
        let device = Secrets.text(32)
        let user = Secrets.text(8, from: Self.userAlphabet)
        try await store.put(
            LoginCode(
                digest: Secrets.digest(device),
                client: client,
                userCode: user,
                expires: now().addingTimeInterval(Self.deviceLifetime)
            )
        )
        return (device, Self.shown(user))
    }

    static let noCode = EarshotError(
        .accessDenied,
        "The code is unknown or has expired: have the device show a new one."
    )

    /// Returns the user code in a text, in the form in which it is stored.
    static func userCode(_ text: String) -> String {
        String(text.prefix(100).uppercased().filter { userAlphabet.contains($0) }.prefix(16))
    }

    /// Returns a user code in the form in which devices show it: `BCDF-GHJK`.
    static func shown(_ userCode: String) -> String { "\(userCode.prefix(4))-\(userCode.dropFirst(4))" }

    /// Returns the waiting login of a user code, without counting a wrong one.
    ///
    /// - Throws: `accessDenied` for a code that is unknown, used or expired.
    func waitingCode(_ code: String) async throws(EarshotError) -> LoginCode {
        guard let waiting = try await store.waitingCode(userCode: code, at: now()) else { throw Self.noCode }
        return waiting
    }

    /// Returns the waiting login of a user code. A wrong code counts as a failed attempt of the origin.
    ///
    /// - Throws: `accessDenied` for a code that is unknown, used or expired, `tooManyRequests`.
    func waitingCode(_ code: String, from origin: RequestOrigin) async throws(EarshotError) -> LoginCode {
        let attempt = try await logins.begin(.code, origin)
        let waiting = try await waitingCode(code)
        await logins.takeBack(attempt)
        return waiting
    }

    /// Refuses the login of a user code.
    ///
    /// - Throws: `accessDenied` for a code that is unknown, used or expired.
    func refuse(_ code: String) async throws(EarshotError) {
        guard try await store.refuse(userCode: code, at: now()) else { throw Self.noCode }
    }

    /// Approves the login of a user code for an author.
    ///
    /// - Throws: `accessDenied` for a code that is unknown, used or expired, or if the author's password was replaced meanwhile.
    func approve(_ code: String, _ author: PieceAuthor) async throws(EarshotError) {
        guard try await store.approve(userCode: code, author: author.id, at: now()) else { throw Self.noCode }
        try await confirm(author)
    }

    // MARK: - Forms

    /// Returns the code that authenticates a form as one of the service.
    func seal(_ content: [String], until expiry: Int) -> String {
        keyring.signing(at: now()).forms.code(for: Self.sealed(content, expiry)).base64URL
    }

    private static func sealed(_ content: [String], _ expiry: Int) -> String {
        "form\n\(expiry)\n" + content.joined(separator: "\n")
    }

    /// Checks that a form has the seal of its page and has not expired.
    ///
    /// - Parameters:
    ///   - seal: The seal in the form; `nil` if there is none.
    ///   - content: The content that the seal must cover.
    ///   - expiry: The expiry in the form, in seconds since 1970; `nil` if there is none.
    /// - Throws: `accessDenied`.
    func check(_ seal: String?, of content: [String], until expiry: Int?) throws(EarshotError) {
        guard let expiry, let code = seal.flatMap({ Data(base64URL: $0) }),
            keyring.accepted.contains(where: { $0.forms.isValid(code, for: Self.sealed(content, expiry)) }),
            now().timeIntervalSince1970 < Double(expiry)
        else {
            throw Self.formExpired
        }
    }
}
