public import EarshotRecognition

/// Where an app keeps what its user recognized.
///
/// ``RecognitionClient`` tells it the best match of what was heard: of recognitions from the microphone and of samples of
/// a stream, and of searches by fingerprint. What fails here fails no operation.
public protocol HistoryRecording: Sendable {
    /// Keeps a match.
    ///
    /// - Parameters:
    ///   - match: The best match.
    ///   - kind: How it was found.
    func record(_ match: MusicMatch, from kind: OperationKind) async throws
}
