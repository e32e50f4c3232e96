/// A page that says that something is not there, or that it could not be shown.
struct FaultPage: Page {
    static let template = "fault"

    let title: String
    /// What it says. The name `text` stands for the words of the frame in templates.
    let message: String
    /// The address to try again; `nil` where that is in vain.
    let retry: String?
}
