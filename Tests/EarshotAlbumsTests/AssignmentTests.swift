import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("Assigning files to tracks")
struct AssignmentTests {
    @Test("no assignment weighs more")
    func best() {
        property("assignment", rounds: 300) { generator in
            let rows = Int.random(in: 1...5, using: &generator)
            let columns = Int.random(in: 1...5, using: &generator)
            let weights = (0..<rows).map { _ in
                (0..<columns).map { _ in Double(Int.random(in: -5...10, using: &generator)) }
            }
            let assigned = Assignment.best(weights)
            let taken = assigned.compactMap(\.self)
            guard Set(taken).count == taken.count, assigned.count == rows else { return false }
            let gained = zip(weights, assigned).map { (row: [Double], column: Int?) -> Double in
                guard let column else { return 0 }
                return row[column]
            }
            let sum = gained.reduce(0, +)
            return abs(sum - Self.most(weights, from: 0, without: [])) < 1e-9
                && zip(weights, assigned).allSatisfy { row, column in column.map { row[$0] > 0 } ?? true }
        }
    }

    /// The largest sum, by trying everything.
    private static func most(_ weights: [[Double]], from row: Int, without taken: Set<Int>) -> Double {
        guard row < weights.count else { return 0 }
        var best = most(weights, from: row + 1, without: taken)
        for (column, weight) in weights[row].enumerated() where weight > 0 && !taken.contains(column) {
            best = max(best, weight + most(weights, from: row + 1, without: taken.union([column])))
        }
        return best
    }

    @Test("nothing to assign is no failure")
    func empty() {
        #expect(Assignment.best([]).isEmpty)
        #expect(Assignment.best([[], []]) == [nil, nil])
    }
}
