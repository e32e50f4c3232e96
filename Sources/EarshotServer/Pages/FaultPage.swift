/// A page that explains why something is not there or cannot be shown.
struct FaultPage: Page {
    static let template = "fault"

    let title: String
    /// The sentence below the title. Not named `text`, which in templates is the texts of the frame.
    let message: String
    /// The address to try again; `nil` if a retry does not help.
    let retry: String?
}
