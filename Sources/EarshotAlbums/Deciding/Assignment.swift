/// Assigns rows to columns so that the sum of their weights is as large as it can be.
///
/// The method of shortest augmenting paths with potentials, of Jonker and Volgenant (*Computing* 38, 1987), in time of rows² ×
/// columns. A row may stay without a column, which weighs nothing; no column is taken twice.
enum Assignment {
    /// The columns that the rows get.
    ///
    /// - Parameters:
    ///   - weights: A row of weights for each row; all of one length. What is not above zero is never assigned.
    /// - Returns: A column for each row; `nil` for a row that gets none.
    static func best(_ weights: [[Double]]) -> [Int?] {
        let rows = weights.count
        let columns = weights.first?.count ?? 0
        guard rows > 0, columns > 0 else { return Array(repeating: nil, count: rows) }
        // A column of its own for each row, where it costs nothing to end up.
        let width = columns + rows
        func cost(_ row: Int, _ column: Int) -> Double { column < columns ? -max(0, weights[row][column]) : 0 }
        // Counted from 1; row and column 0 stand for none.
        var rowPotential = [Double](repeating: 0, count: rows + 1)
        var columnPotential = [Double](repeating: 0, count: width + 1)
        var owner = [Int](repeating: 0, count: width + 1)
        var way = [Int](repeating: 0, count: width + 1)
        for row in 1...rows {
            owner[0] = row
            var column = 0
            var least = [Double](repeating: .infinity, count: width + 1)
            var isVisited = [Bool](repeating: false, count: width + 1)
            repeat {
                isVisited[column] = true
                let current = owner[column]
                var delta = Double.infinity
                var next = 0
                for candidate in 1...width where !isVisited[candidate] {
                    let reduced =
                        cost(current - 1, candidate - 1) - rowPotential[current] - columnPotential[candidate]
                    if reduced < least[candidate] {
                        least[candidate] = reduced
                        way[candidate] = column
                    }
                    if least[candidate] < delta {
                        delta = least[candidate]
                        next = candidate
                    }
                }
                for candidate in 0...width {
                    if isVisited[candidate] {
                        rowPotential[owner[candidate]] += delta
                        columnPotential[candidate] -= delta
                    } else {
                        least[candidate] -= delta
                    }
                }
                column = next
            } while owner[column] != 0
            while column != 0 {
                owner[column] = owner[way[column]]
                column = way[column]
            }
        }
        var assigned = [Int?](repeating: nil, count: rows)
        for column in 1...columns where owner[column] != 0 && weights[owner[column] - 1][column - 1] > 0 {
            assigned[owner[column] - 1] = column - 1
        }
        return assigned
    }
}
