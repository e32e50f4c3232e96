public import EarshotRecognition

/// The result of a recognition, a search or a fetch; empty if nothing was found.
public struct SearchResult: Hashable, Sendable {
    /// The matches, best first.
    public let matches: [MusicMatch]
    /// The best match; `nil` if there is none.
    public var best: MusicMatch? { matches.first }

    /// Creates a result from matches, best first.
    public init(_ matches: [MusicMatch] = []) {
        self.matches = matches
    }
}

/// The result of an operation that makes a fingerprint.
public struct FingerprintResult: Hashable, Sendable {
    /// The fingerprint of the audio.
    public let fingerprint: Fingerprint
    /// The fingerprint as text, for storage.
    public var text: String { fingerprint.text }

    /// Creates a result.
    public init(_ fingerprint: Fingerprint) {
        self.fingerprint = fingerprint
    }
}
