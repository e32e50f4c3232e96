public import EarshotCore
public import Foundation

/// A store of fingerprints with their tracks and the submitted metadata.
///
/// A track represents all fingerprints of one recording; its identifier is a UUID that may be stored permanently.
/// Identifiers of merged tracks lead to the track they were merged into, over any number of steps. A
/// ``FingerprintIndex`` contains a fingerprint under the number that the store assigns to it. Any number of indexes may
/// follow one store, each by the last number that it has: fingerprints are never removed, and no number is used twice.
///
/// All functions may be called from any task. Changes are stored when a function returns. They throw `storeUnavailable`
/// if the store cannot be reached, `writeFailed` if it cannot be written, and `cancelled`.
public protocol FingerprintTrackStore: Sendable {
    /// Returns the identifier of the store: numbers of one store are invalid in the index of another. A store restored
    /// from a backup has a new identifier, because numbers used since the backup are used again.
    func id() async throws(EarshotError) -> UUID

    // MARK: Submissions

    /// Stores submissions atomically: all of them or none.
    ///
    /// - Returns: Their numbers, from 1, in the same order.
    func submit(_ submissions: [FingerprintSubmission]) async throws(EarshotError) -> [Int]
    /// Returns the states of submissions by number; unknown numbers are missing.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the submissions.
    ///   - position: The number of the last fingerprint in the index. A submission is reported as imported once the
    ///     index has its fingerprint, so that it can be found.
    func states(
        ofSubmissions numbers: [Int],
        indexedThrough position: UInt64
    ) async throws(EarshotError) -> [Int: FingerprintSubmission.State]
    /// Returns the pending submissions, the oldest first.
    ///
    /// - Parameters:
    ///   - limit: The largest number of submissions.
    ///   - byteLimit: The approximate limit of their total size, in bytes; at least one is returned in any case.
    func pendingSubmissions(
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [(number: Int, submission: FingerprintSubmission)]
    /// Applies a decision to a pending submission, atomically. A submission that is no longer pending is unchanged.
    /// Only the metadata that counts for its track is stored.
    ///
    /// - Returns: The new fingerprint, which the index does not have yet; `nil` if none was added.
    func complete(
        submission number: Int,
        _ decision: FingerprintDecision
    ) async throws(EarshotError) -> StoredFingerprint?

    // MARK: Fingerprints

    /// Returns a fingerprint; `nil` if no fingerprint has this number.
    func fingerprint(_ number: UInt64) async throws(EarshotError) -> StoredFingerprint?
    /// Returns the fingerprints with these numbers, ordered by number; unknown numbers are missing.
    func fingerprints(_ numbers: [UInt64]) async throws(EarshotError) -> [StoredFingerprint]
    /// Returns the fingerprints of tracks, the oldest first, up to a limit for each track.
    func fingerprints(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [StoredFingerprint]
    /// Returns the fingerprints after a number, ordered by number.
    ///
    /// Numbers become visible in ascending order, whatever other programs add at the same time: an index that requests
    /// those after its last one misses none.
    ///
    /// - Parameters:
    ///   - number: The last number that an index has; 0 if it has none.
    ///   - limit: The largest number of fingerprints.
    ///   - byteLimit: The approximate limit of the total size of their texts, in bytes; at least one is returned in any
    ///     case.
    func fingerprints(
        after number: UInt64,
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [StoredFingerprint]

    // MARK: Tracks

    /// Returns the track that an identifier leads to, after merges; `nil` if there is none.
    func track(_ id: UUID) async throws(EarshotError) -> UUID?
    /// Returns the tracks of fingerprints, by number; unknown numbers are missing.
    func tracks(ofFingerprints numbers: [UInt64]) async throws(EarshotError) -> [UInt64: UUID]
    /// Returns the MusicBrainz recordings linked to tracks, up to a limit for each track: those with the most sources
    /// first, disabled ones last.
    func links(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [RecordingLink]]
    /// Returns the tracks linked to MusicBrainz recordings, ordered by identifier, up to a limit for each recording.
    func tracks(
        linkedTo recordings: [UUID],
        limit: Int
    ) async throws(EarshotError) -> [UUID: [(track: UUID, isDisabled: Bool)]]
    /// Disables the link of a track to a MusicBrainz recording because it is wrong, or enables it again.
    ///
    /// - Returns: `true` if the link exists.
    func setDisabled(_ isDisabled: Bool, recording: UUID, of track: UUID) async throws(EarshotError) -> Bool
    /// Returns the submitted metadata of tracks, that with the most sources first, up to a limit for each track.
    func metadata(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [SubmittedMetadata]]
    /// Returns the identifiers of a track in other catalogs, as `vendor:id`, sorted.
    func foreignIDs(of track: UUID) async throws(EarshotError) -> [String]

    /// Returns the number of records of each kind.
    func counts() async throws(EarshotError) -> FingerprintCounts
}

/// The number of records of each kind in a store of fingerprints.
public struct FingerprintCounts: Hashable, Sendable, Codable {
    /// The number of tracks, without merged ones.
    public var tracks = 0
    /// The number of fingerprints of all tracks.
    public var fingerprints = 0
    /// The number of links from tracks to MusicBrainz recordings.
    public var links = 0
    /// The number of submissions that wait for their import.
    public var pending = 0

    /// Creates counts of zero, those of an empty store.
    public init() {}
}
