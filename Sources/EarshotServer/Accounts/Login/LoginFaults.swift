import EarshotCore
import EarshotPieces

/// Translates the faults of the login and sign-in pages into the language of a page.
enum LoginFaults {
    /// The names of texts, by the messages of errors. Programs get the messages unchanged.
    private static let names = [
        LoginService.wrongPassword.message: "wrongPassword",
        LoginService.nameTaken.message: "nameTaken",
        LoginService.formExpired.message: "formExpired",
        LoginService.noCode.message: "noCode",
        LoginGuard.tooMany.message: "tooManyAttempts",
        LoginGuard.tooManyAccounts.message: "tooManyAccounts",
        PasswordDigest.lengthRefused.message: "passwordLength",
        SignInController.wrongToken.message: "wrongToken",
    ]

    /// Returns the text of a fault; its message if there is no text for it.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - name: The name that was entered.
    ///   - words: The texts of the page.
    static func text(_ fault: EarshotError, _ name: String, _ words: PageWords) -> String {
        if let text = names[fault.message] { return words("login.\(text)") }
        // The message about an invalid name quotes it, so the table cannot contain the message.
        if fault.code == .requestInvalid, (try? AuthorName(name)) == nil { return words("login.nameInvalid") }
        return fault.message
    }
}
