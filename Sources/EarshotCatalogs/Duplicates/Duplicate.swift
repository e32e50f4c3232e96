public import EarshotCore

/// A reference that has audio in common with another signature.
///
/// Reference time = ``offset`` + ``speed`` · time in the other.
public struct Duplicate: Hashable, Sendable {
    /// The relation of the signature in question to the reference.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        /// The same landmark for landmark, as of one file under two names.
        case identical
        /// The same recording: in another encoding, or with a little more or less at its ends.
        case sameRecording
        /// A part of the reference.
        case excerpt
        /// More than the reference: the reference is a part of it.
        case extended
        /// Something of both is common, as of medleys, mixes and versions.
        case overlap
    }

    /// The reference's name.
    public let id: ReferenceID
    /// The relation of the signature to the reference.
    public let relation: Relation
    /// The share of the signature that fits the reference, from 0 to 1.
    public let coverage: Double
    /// The share of the reference that it covers, from 0 to 1.
    public let referenceCoverage: Double
    /// Seconds of the reference in one second of the signature.
    public let speed: Double
    /// The position in the reference at which the signature begins.
    public let offset: MediaTime

    /// `true` if both are one recording.
    public var isSameRecording: Bool { relation == .identical || relation == .sameRecording }
}

/// The treatment of an addition that is the same recording as a reference. Excerpts and overlaps are always reported
/// and added.
public enum DuplicatePolicy: String, Hashable, Sendable, CaseIterable {
    /// Add it, and say so.
    case keep
    /// Leave it out.
    case skip
    /// Add it, and remove the references that it equals.
    case replace
    /// Refuse it.
    case fail
    /// Do not look.
    case ignore
}
