public import EarshotCore

/// The goal that a monitor optimizes for.
public enum OptimizationMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The same as ``accuracy``.
    case `default`
    /// Best correctness: 6 s of audio make a query.
    case accuracy
    /// Earlier results from shorter queries of 3.5 s, of which more have no match.
    case speed
    /// The length of a query depends on the audio: short if it is loud and clear, longer if it is quiet or noisy.
    case adaptive

    /// Creates a mode from its name.
    ///
    /// - Throws: `configurationInvalid` for an unknown name.
    public init(name: String) throws(EarshotError) {
        guard let mode = OptimizationMode(rawValue: name) else {
            throw EarshotError(
                .configurationInvalid,
                "\"\(name.prefix(40))\" is no optimization mode: choose default, accuracy, speed or adaptive."
            )
        }
        self = mode
    }
}
