import EarshotPieces

/// The pieces that are analyzed at the same time and next: one of each author. A pure value.
///
/// A piece whose analysis failed is tried again in the next round, after pieces that were not tried yet, so that an unavailable one holds
/// up no other.
struct AnalysisOrder {
    /// A piece and its author.
    typealias Candidate = (author: String, piece: PieceID)

    /// The number of attempts for audio whose analysis takes too long, or whose decoder fails.
    private static let patience = 3
    /// The number of consecutive unavailable pieces after which the others wait for the next round.
    private static let mostInARow = 3
    /// The number of authors that take turns concurrently. Further ones wait in order of publication.
    static let mostAuthors = 64

    private var underWay: [PieceID: String] = [:]
    private var attempts: [PieceID: Int] = [:]
    /// Pieces that wait for the next round.
    private var postponed: Set<PieceID> = []
    private var failuresInARow = 0

    /// `true` if nothing more starts in this round, because the required storage is unavailable.
    var isPaused: Bool { failuresInARow >= Self.mostInARow }

    /// The pieces to exclude from the search for the next one: first with those that were tried before, then without
    /// them if there are any.
    var excluded: [Set<PieceID>] {
        let busy = postponed.union(underWay.keys)
        return attempts.isEmpty ? [busy] : [busy.union(attempts.keys), busy]
    }

    /// Begins a round: failed pieces may be tried again.
    mutating func beginRound() {
        postponed = []
        failuresInARow = 0
    }

    /// Begins the pieces of those authors who have none under way.
    ///
    /// - Returns: The pieces that have begun.
    mutating func begin(_ candidates: [Candidate]) -> [Candidate] {
        var authors = Set(underWay.values)
        return candidates.filter { candidate in
            guard authors.count < Self.mostAuthors, underWay[candidate.piece] == nil,
                authors.insert(candidate.author).inserted
            else { return false }
            underWay[candidate.piece] = candidate.author
            return true
        }
    }

    /// Returns `true` if the next attempt for a piece is the last one.
    func isLast(_ piece: PieceID) -> Bool { attempts[piece, default: 0] + 1 >= Self.patience }

    /// Ends the attempt at a piece that another node is analyzing. The next round tries it again, in case that node has died.
    mutating func leave(_ piece: PieceID) {
        underWay[piece] = nil
        postponed.insert(piece)
    }

    /// Ends an attempt.
    mutating func end(_ piece: PieceID, isDone: Bool) {
        underWay[piece] = nil
        if isDone {
            attempts[piece] = nil
            failuresInARow = 0
        } else {
            attempts[piece, default: 0] += 1
            postponed.insert(piece)
            failuresInARow += 1
        }
    }
}
