import EarshotCatalogs

/// How long the lists of an index are.
struct IndexCensus: Codable {
    var name: String
    /// Lists with at least one posting.
    var distinct = 0
    var median = 0
    /// 99 of a hundred lists are not longer.
    var high = 0
    var most = 0
    /// Postings in the list of a posting, on average over postings: what a query like the references has to read.
    var meetings = 0.0

    /// Counts the lists of the first segment of a catalog, by whole keys and by pairs.
    static func of(_ catalog: Catalog) -> [IndexCensus] {
        var counters = [Counter(dropping: 0), Counter(dropping: 11)]
        catalog.forEachKeyOfFirstSegment { key in
            counters[0].add(key)
            counters[1].add(key)
        }
        return [counters[0].census("whole key"), counters[1].census("pair")]
    }

    /// Lengths of lists whose postings come one after the other.
    private struct Counter {
        let shift: UInt32
        var key = UInt32.max
        var length = 0
        /// How many lists there are of each length.
        var lengths: [Int: Int] = [:]

        init(dropping bits: UInt32) { shift = bits }

        mutating func add(_ whole: UInt32) {
            if whole >> shift == key {
                length += 1
            } else {
                close()
                (key, length) = (whole >> shift, 1)
            }
        }

        mutating func close() { if length > 0 { lengths[length, default: 0] += 1 } }

        mutating func census(_ name: String) -> IndexCensus {
            close()
            length = 0
            var census = IndexCensus(name: name)
            census.distinct = lengths.values.reduce(0, +)
            census.most = lengths.keys.max() ?? 0
            let postings = lengths.reduce(0) { $0 + $1.key * $1.value }
            let squares = lengths.reduce(0.0) { $0 + Double($1.key) * Double($1.key) * Double($1.value) }
            census.meetings = squares / Double(max(1, postings))
            var passed = 0
            for (length, count) in lengths.sorted(by: { $0.key < $1.key }) {
                passed += count
                if census.median == 0, passed * 2 >= census.distinct { census.median = length }
                if census.high == 0, passed * 100 >= census.distinct * 99 { census.high = length }
            }
            return census
        }
    }
}
