public import EarshotCore

/// A reference that has audio in common with another signature.
///
/// Reference time = ``offset`` + ``speed`` · time in the other.
public struct Duplicate: Hashable, Sendable {
    /// What the signature that was asked about is to the reference.
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
    /// What the signature is to the reference.
    public let relation: Relation
    /// The share of the signature that fits the reference, from 0 to 1.
    public let coverage: Double
    /// The share of the reference that it covers, from 0 to 1.
    public let referenceCoverage: Double
    /// Seconds of the reference in one second of the signature.
    public let speed: Double
    /// Where in the reference the signature begins.
    public let offset: MediaTime

    /// `true` if both are one recording.
    public var isSameRecording: Bool { relation == .identical || relation == .sameRecording }
}

/// What to do with an addition that is the same recording as a reference. Excerpts and overlaps are reported and kept,
/// whatever is chosen.
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
