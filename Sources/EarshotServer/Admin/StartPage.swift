/// The page that shows programmers the first steps with the service, with commands to copy.
struct StartPage: Page {
    static let template = "start"

    let base: String
    /// `true` if the page links to the state of the service.
    let tellsState: Bool

    /// Creates the page.
    ///
    /// - Parameter base: The address of the service; empty if it is not known.
    init(base: String, tellsState: Bool) {
        self.base = base.isEmpty ? "http://localhost:8080" : base
        self.tellsState = tellsState
    }
}
