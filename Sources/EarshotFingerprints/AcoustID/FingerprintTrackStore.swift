public import EarshotCore
public import Foundation

/// Where fingerprints are kept with the tracks they are of, and what was said about these.
///
/// A track is what all fingerprints of one recording have in common; its id is a UUID that anybody may store. Ids of tracks that
/// were merged lead to what they were merged into, over any number of steps. A fingerprint stands in a ``FingerprintIndex`` under
/// the number that the store gives it. Any number of indexes may follow one store, each by the last number that it has: fingerprints
/// are never removed, and no number is given twice.
///
/// All functions may be called from any task, and what they changed is kept when they return. They throw `storeUnavailable` when
/// the store cannot be reached, `writeFailed` when it cannot be written, and `cancelled`.
public protocol FingerprintTrackStore: Sendable {
    /// What tells this store from others: the numbers of one are of no use to another's index. One that was put back from a backup has
    /// another id, for numbers that were given since are given again.
    func id() async throws(EarshotError) -> UUID

    // MARK: Submissions

    /// Keeps submissions, all of them or none.
    ///
    /// - Returns: Their numbers, from 1, in the same order.
    func submit(_ submissions: [FingerprintSubmission]) async throws(EarshotError) -> [Int]
    /// The states of submissions; those that were never made are missing.
    ///
    /// - Parameters:
    ///   - numbers: The submissions.
    ///   - position: The number of the last fingerprint that an index has. A submission is told as imported from when the index has its
    ///     fingerprint, so that it can be found.
    func states(
        ofSubmissions numbers: [Int],
        indexedThrough position: UInt64
    ) async throws(EarshotError) -> [Int: FingerprintSubmission.State]
    /// The submissions that wait, the oldest first.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - byteLimit: With how many bytes in all, more or less; one is given in any case.
    func pendingSubmissions(
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [(number: Int, submission: FingerprintSubmission)]
    /// Does with a submission that waits what was decided, as one step. One that does not wait any longer stays as it is. Of what it
    /// said only what counts for its track is kept.
    ///
    /// - Returns: The fingerprint that is new, which the index does not have yet; `nil` if none was added.
    func complete(
        submission number: Int,
        _ decision: FingerprintDecision
    ) async throws(EarshotError) -> StoredFingerprint?

    // MARK: Fingerprints

    /// A fingerprint; `nil` if there is none of this number.
    func fingerprint(_ number: UInt64) async throws(EarshotError) -> StoredFingerprint?
    /// Fingerprints of these numbers, in order of them; those that there are none of are missing.
    func fingerprints(_ numbers: [UInt64]) async throws(EarshotError) -> [StoredFingerprint]
    /// The fingerprints of tracks, the oldest first, of each at most so many.
    func fingerprints(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [StoredFingerprint]
    /// Fingerprints whose numbers are greater than one, in order of numbers.
    ///
    /// Numbers become visible in ascending order, whatever other programs add at the same moment: an index that asks for those after
    /// its last one misses none.
    ///
    /// - Parameters:
    ///   - number: The last number that an index has; 0 if it has none.
    ///   - limit: How many at most.
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
    /// The recordings that tracks were said to be, of each at most so many: those with the most sources first, and disabled ones behind
    /// all others.
    func links(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [RecordingLink]]
    /// The tracks that were said to be recordings, in order of ids, of each at most so many.
    func tracks(
        linkedTo recordings: [UUID],
        limit: Int
    ) async throws(EarshotError) -> [UUID: [(track: UUID, isDisabled: Bool)]]
    /// Says that a link is wrong, or that it is right after all.
    ///
    /// - Returns: `true` if there is such a link.
    func setDisabled(_ isDisabled: Bool, recording: UUID, of track: UUID) async throws(EarshotError) -> Bool
    /// What was written about tracks, that with the most sources first, of each at most so much.
    func metadata(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [SubmittedMetadata]]
    /// What a track was said to be elsewhere, in order of the texts.
    func foreignIDs(of track: UUID) async throws(EarshotError) -> [String]

    /// How much there is.
    func counts() async throws(EarshotError) -> FingerprintCounts
}

/// How much a store of fingerprints has.
public struct FingerprintCounts: Hashable, Sendable, Codable {
    /// Tracks, without those that were merged into others.
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
