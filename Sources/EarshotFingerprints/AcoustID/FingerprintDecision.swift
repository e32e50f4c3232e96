public import Foundation

/// The decision about a submitted fingerprint.
public enum FingerprintDecision: Hashable, Sendable {
    /// The fingerprint begins a new track with this identifier.
    case begin(UUID)
    /// The fingerprint joins an existing track.
    ///
    /// - Parameters:
    ///   - same: A fingerprint of the track that is so similar that only its count of submissions is increased; `nil`
    ///     if there is none.
    ///   - absorbing: Other tracks of the same recording, which are merged into the track.
    case join(UUID, same: UInt64?, absorbing: [UUID])
    /// The fingerprint is rejected, because it has too little variety to identify a recording.
    case refuse
}
