public import EarshotCatalogs
import EarshotMedia
public import EarshotSessions

extension ManagedSession {
    /// Creates a session with the system's default microphone, which is opened when it is needed.
    ///
    /// - Parameters:
    ///   - catalog: The catalog of the references to recognize.
    ///   - options: The options of matching.
    public convenience init(catalog: Catalog, options: MatchSession.Options = .init()) {
        self.init(catalog: catalog, options: options) { try await CaptureSource() }
    }
}
