public import EarshotRecognition

/// The result of a recognition, a search or a fetch; empty if nothing was found.
public struct SearchResult: Hashable, Sendable {
    /// The matches, best first.
    public let matches: [MusicMatch]
    /// The best match; `nil` if there is none.
    public var best: MusicMatch? { matches.first }

    /// A result.
    public init(_ matches: [MusicMatch] = []) {
        self.matches = matches
    }
}

/// A fingerprint that was made.
public struct FingerprintResult: Hashable, Sendable {
    /// The fingerprint.
    public let fingerprint: Fingerprint
    /// The fingerprint as text, to be kept.
    public var text: String { fingerprint.text }

    /// A result.
    public init(_ fingerprint: Fingerprint) {
        self.fingerprint = fingerprint
    }
}
