public import EarshotCore

/// A reference that has audio in common with another signature.
///
/// Reference time = ``offset`` + ``speed`` · time in the signature.
public struct Duplicate: Hashable, Sendable {
    /// The relation of the signature to the reference.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        /// Equal landmark for landmark, such as one file under two names.
        case identical
        /// The same recording: in another encoding, or slightly longer or shorter at its ends. Both cover each other by
        /// 90 % or more.
        case sameRecording
        /// The signature is a part of the reference.
        case excerpt
        /// The reference is a part of the signature.
        case extended
        /// Both have a passage in common, as medleys, mixes and versions do.
        case overlap
    }

    /// The reference's name.
    public let id: ReferenceID
    /// The relation of the signature to the reference.
    public let relation: Relation
    /// The share of the signature that matches the reference, from 0 to 1. Quiet parts are not counted.
    public let coverage: Double
    /// The share of the reference that the signature covers, from 0 to 1.
    public let referenceCoverage: Double
    /// Seconds of the reference that pass in one second of the signature.
    public let speed: Double
    /// The position in the reference where the signature begins; negative if the signature begins earlier.
    public let offset: MediaTime

    /// `true` if both are the same recording.
    public var isSameRecording: Bool { relation == .identical || relation == .sameRecording }
}

/// The treatment of an addition that is the same recording as a reference. Excerpts and overlaps are added and reported
/// under every policy but ``ignore``.
public enum DuplicatePolicy: String, Hashable, Sendable, CaseIterable {
    /// Adds it and reports the duplicates.
    case keep
    /// Does not add it.
    case skip
    /// Adds it and removes the references of the same recording.
    case replace
    /// Does not add it, and reports `referenceExists`.
    case fail
    /// Adds it without comparing.
    case ignore
}
