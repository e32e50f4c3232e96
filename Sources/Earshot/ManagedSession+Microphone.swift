public import EarshotCatalogs
import EarshotMedia
public import EarshotSessions

extension ManagedSession {
    /// A session over the system's default microphone, which is opened when it is needed.
    ///
    /// - Parameters:
    ///   - catalog: What is looked for.
    ///   - options: How streams are matched.
    public convenience init(catalog: Catalog, options: MatchSession.Options = .init()) {
        self.init(catalog: catalog, options: options) { try await CaptureSource() }
    }
}
