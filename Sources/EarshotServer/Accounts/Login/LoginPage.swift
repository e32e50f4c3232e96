/// A page on which people log in, or make an account.
struct LoginPage: Page {
    static let template = "login"

    /// A field of the form that is not shown.
    struct Field: Sendable {
        let name: String
        let value: String
    }

    let title: String
    /// The path to which the form is sent.
    let action: String
    let hidden: [Field]
    /// The code that a device shows; `nil` to ask for none.
    var code: String?
    /// The name that was entered before.
    let name: String
    /// The fault of what was entered before.
    let fault: String?
}
