package import Earshot

/// An addition that has audio in common with a reference of the catalog.
public struct DuplicateNote: Sendable, Encodable {
    /// The name of the addition.
    public let id: String
    /// The name of the reference.
    public let reference: String
    /// The relation of both, a raw value of `Duplicate.Relation`.
    public let relation: String
    /// The part of the addition that both have, from 0 to 1.
    public let coverage: Double
    /// The part of the reference that both have, from 0 to 1.
    public let referenceCoverage: Double
    /// The speed of the addition relative to the reference.
    public let speed: Double
    /// The position in the reference where the addition begins, in seconds.
    public let offset: Double
    /// The action taken: `kept`, `left out` or `replaces it`.
    public let action: String
}

extension Catalog.AdditionOutcome {
    /// The notes on duplicates: the same recordings, or else the most alike ones.
    package var notes: [DuplicateNote] {
        let twins = duplicates.filter(\.isSameRecording)
        return (twins.isEmpty ? Array(duplicates.prefix(3)) : twins).map { duplicate in
            let action =
                if replaced.contains(duplicate.id) { "replaces it" } else if isAdded { "kept" } else { "left out" }
            func round(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
            return DuplicateNote(
                id: id.rawValue,
                reference: duplicate.id.rawValue,
                relation: duplicate.relation.rawValue,
                coverage: round(duplicate.coverage),
                referenceCoverage: round(duplicate.referenceCoverage),
                speed: round(duplicate.speed),
                offset: round(duplicate.offset.seconds),
                action: action
            )
        }
    }
}
