/// A page that says that something is not there, or that it could not be shown.
struct FaultPage: Page {
    static let template = "fault"

    let title: String
    /// The sentence below the title. It cannot be called `text`, which templates take for the texts of the frame.
    let message: String
    /// The address to try again; `nil` where that is in vain.
    let retry: String?
}
