public import EarshotCore

/// What a monitor gives preference to.
public enum OptimizationMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The same as ``accuracy``.
    case `default`
    /// Best correctness: 6 s of audio make a query.
    case accuracy
    /// Sooner answers of shorter queries, 3.5 s, of which more find nothing.
    case speed
    /// As long a query as the audio asks for: short where it is loud and clear, longer where it is quiet or noisy.
    case adaptive

    /// The mode of a name.
    ///
    /// - Throws: `configurationInvalid` for a name that is none of the four.
    public init(name: String) throws(EarshotError) {
        guard let mode = OptimizationMode(rawValue: name) else {
            throw EarshotError(
                .configurationInvalid,
                "\"\(name.prefix(40))\" is no optimization: it is default, accuracy, speed or adaptive."
            )
        }
        self = mode
    }
}
