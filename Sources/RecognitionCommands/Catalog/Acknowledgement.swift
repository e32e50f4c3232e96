import CommandKit
import Earshot

/// The result of one commit, written once it is on the disk.
struct Acknowledgement: Encodable {
    var added: [String] = []
    var replaced: [String] = []
    var removed: [String] = []
    var skipped: [String] = []
    var duplicates: [DuplicateNote] = []
    var references: Int

    init(_ outcomes: [Catalog.AdditionOutcome], references: Int) {
        self.references = references
        for outcome in outcomes {
            if outcome.isAdded { added.append(outcome.id.rawValue) } else { skipped.append(outcome.id.rawValue) }
            replaced += outcome.replaced.map(\.rawValue)
            duplicates += outcome.notes
        }
    }

    /// Joins the outcome of this commit and of a later one.
    func joined(_ later: Acknowledgement) -> Acknowledgement {
        var whole = later
        whole.added = added + later.added
        whole.replaced = replaced + later.replaced
        whole.removed = removed + later.removed
        whole.skipped = skipped + later.skipped
        whole.duplicates = duplicates + later.duplicates
        return whole
    }

    init(removed: [String], references: Int) {
        self.removed = removed
        self.references = references
    }
}
