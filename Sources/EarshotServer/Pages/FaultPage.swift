/// A page that says that something is not there, or that it could not be shown.
struct FaultPage: Page {
    static let template = "fault"

    let title: String
    let text: String
    /// The address to try again; `nil` where that is in vain.
    let retry: String?
}
