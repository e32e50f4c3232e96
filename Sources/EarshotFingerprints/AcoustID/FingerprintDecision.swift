public import Foundation

/// The decision about a submission.
public enum FingerprintDecision: Hashable, Sendable {
    /// It is the first fingerprint of a new track.
    case begin(UUID)
    /// It is one of a track that is there.
    ///
    /// - Parameters:
    ///   - same: A fingerprint of the track that is so similar that only its count is increased.
    ///   - absorbing: Tracks that turned out to be the same one, and are merged into it.
    case join(UUID, same: UInt64?, absorbing: [UUID])
    /// It says too little to belong to any.
    case refuse
}
