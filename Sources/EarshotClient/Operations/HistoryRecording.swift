public import EarshotRecognition

/// Records the tracks that a user recognized.
///
/// ``RecognitionClient`` passes it the best match of each recognition from the microphone or from stream samples, and
/// of each search by fingerprint. Its errors do not fail an operation.
public protocol HistoryRecording: Sendable {
    /// Records a match.
    ///
    /// - Parameters:
    ///   - match: The best match.
    ///   - kind: The kind of operation that found the match.
    func record(_ match: MusicMatch, from kind: OperationKind) async throws
}
