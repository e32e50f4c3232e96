/// A page on which people log in, or make an account.
struct LoginPage: Page {
    static let template = "login"

    /// A field of the form that is not shown.
    struct Field: Sendable {
        let name: String
        let value: String
    }

    /// The question for consent to the login of a device.
    struct Question: Sendable {
        /// The name of the app.
        let application: String
        /// The code that the device shows.
        let code: String
        /// The time since the device asked, in the language of the page.
        let age: String
    }

    let title: String
    /// The path to which the form is sent.
    let action: String
    let hidden: [Field]
    /// The code that a device shows; `nil` to ask for none.
    var code: String?
    /// The question to say yes or no to; `nil` to ask none.
    var question: Question?
    /// `true` if the page asks for a name and a password.
    var asksPassword = true
    /// The name that was entered before.
    var name = ""
    /// The fault of what was entered before.
    let fault: String?
}
