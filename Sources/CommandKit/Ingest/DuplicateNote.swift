package import Earshot

/// What is said about an addition that has audio in common with a reference.
package struct DuplicateNote: Encodable {
    package let id: String
    package let reference: String
    package let relation: String
    package let coverage: Double
    package let referenceCoverage: Double
    package let speed: Double
    package let offset: Double
    package let action: String

    /// For a person.
    package var sentence: String {
        let percent = "\(Int((coverage * 100).rounded())) %"
        let what =
            switch Duplicate.Relation(rawValue: relation) {
            case .identical: "is identical with \(reference)"
            case .sameRecording: "is the same recording as \(reference)"
            case .excerpt: "is a part of \(reference)"
            case .extended: "has all of \(reference) in it"
            default: "has \(percent) in common with \(reference)"
            }
        return "\(id) \(what) (\(action))"
    }
}

extension Catalog.AdditionOutcome {
    /// What there is to be said, the same recordings, or else the most alike one.
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
