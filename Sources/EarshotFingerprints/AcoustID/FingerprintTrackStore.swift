public import EarshotCore
public import Foundation

/// Stores fingerprints with their tracks and the submitted metadata.
///
/// A track represents all fingerprints of one recording; its identifier is a UUID that may be stored permanently.
/// Identifiers of merged tracks lead to the track they were merged into, over any number of steps. A
/// ``FingerprintIndex`` contains a fingerprint under the number that the store gives it. Any number of indexes may
/// follow one store, each by the last number that it has: fingerprints are never removed, and no number is used twice.
///
/// All functions may be called from any task, and what they changed is kept when they return. They throw `storeUnavailable` when
/// the store cannot be reached, `writeFailed` when it cannot be written, and `cancelled`.
public protocol FingerprintTrackStore: Sendable {
    /// The identifier of the store: numbers of one store are invalid in the index of another. A store restored from a
    /// backup has a new identifier, because numbers used since the backup are used again.
    func id() async throws(EarshotError) -> UUID

    // MARK: Submissions

    /// Keeps submissions, all of them or none.
    ///
    /// - Returns: Their numbers, from 1, in the same order.
    func submit(_ submissions: [FingerprintSubmission]) async throws(EarshotError) -> [Int]
    /// The states of submissions; unknown numbers are missing.
    ///
    /// - Parameters:
    ///   - numbers: The submissions.
    ///   - position: The number of the last fingerprint in the index. A submission is reported as imported once the
    ///     index has its fingerprint, so that it can be found.
    func states(
        ofSubmissions numbers: [Int],
        indexedThrough position: UInt64
    ) async throws(EarshotError) -> [Int: FingerprintSubmission.State]
    /// The submissions that wait, the oldest first.
    ///
    /// - Parameters:
    ///   - limit: The largest number.
    ///   - byteLimit: With how many bytes in all, more or less; one is given in any case.
    func pendingSubmissions(
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [(number: Int, submission: FingerprintSubmission)]
    /// Applies a decision to a waiting submission, atomically. A submission that is no longer waiting is unchanged.
    /// Only the metadata that counts for its track is stored.
    ///
    /// - Returns: The fingerprint that is new, which the index does not have yet; `nil` if none was added.
    func complete(
        submission number: Int,
        _ decision: FingerprintDecision
    ) async throws(EarshotError) -> StoredFingerprint?

    // MARK: Fingerprints

    /// A fingerprint; `nil` if no fingerprint has this number.
    func fingerprint(_ number: UInt64) async throws(EarshotError) -> StoredFingerprint?
    /// The fingerprints with these numbers, in order of number; unknown numbers are missing.
    func fingerprints(_ numbers: [UInt64]) async throws(EarshotError) -> [StoredFingerprint]
    /// The fingerprints of tracks, oldest first, up to a limit per track.
    func fingerprints(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [StoredFingerprint]
    /// Fingerprints whose numbers are greater than one, in order of numbers.
    ///
    /// Numbers become visible in ascending order, whatever other programs add at the same moment: an index that asks for those after
    /// its last one misses none.
    ///
    /// - Parameters:
    ///   - number: The last number that an index has; 0 if it has none.
    ///   - limit: The largest number.
    ///   - byteLimit: With how many bytes of texts in all, more or less; one is given in any case.
    func fingerprints(
        after number: UInt64,
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [StoredFingerprint]

    // MARK: Tracks

    /// The track that an id leads to; `nil` if there is none.
    func track(_ id: UUID) async throws(EarshotError) -> UUID?
    /// The tracks of fingerprints.
    func tracks(ofFingerprints numbers: [UInt64]) async throws(EarshotError) -> [UInt64: UUID]
    /// The recordings linked to tracks, up to a limit per track: those with the most sources first, disabled ones last.
    func links(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [RecordingLink]]
    /// The tracks linked to recordings, in order of identifiers, up to a limit per recording.
    func tracks(
        linkedTo recordings: [UUID],
        limit: Int
    ) async throws(EarshotError) -> [UUID: [(track: UUID, isDisabled: Bool)]]
    /// Says that a link is wrong, or that it is right after all.
    ///
    /// - Returns: `true` if there is such a link.
    func setDisabled(_ isDisabled: Bool, recording: UUID, of track: UUID) async throws(EarshotError) -> Bool
    /// The submitted metadata of tracks, that with the most sources first, up to a limit per track.
    func metadata(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [SubmittedMetadata]]
    /// The identifiers of a track in other catalogs, sorted.
    func foreignIDs(of track: UUID) async throws(EarshotError) -> [String]

    /// The number of records of each kind.
    func counts() async throws(EarshotError) -> FingerprintCounts
}

/// The number of records of each kind in a store of fingerprints.
public struct FingerprintCounts: Hashable, Sendable, Codable {
    /// Tracks, without merged ones.
    public var tracks = 0
    /// Fingerprints.
    public var fingerprints = 0
    /// Links from tracks to recordings.
    public var links = 0
    /// Submissions that wait.
    public var pending = 0

    /// An empty store's.
    public init() {}
}
