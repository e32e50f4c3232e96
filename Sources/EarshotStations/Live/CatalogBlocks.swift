import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotSignatures

/// The complete parts of all channels, indexed in blocks. Eight blocks of one level are merged to one of the next. So a
/// search has few blocks to read and a part is laid out again twice at most, however many hours are kept.
struct CatalogBlocks: Sendable {
    /// Some parts in one piece of memory or one file.
    struct Block: Sendable {
        /// The number of the block, which is used only once.
        var number: UInt64
        var level: Int
        var catalog: Catalog
    }

    /// The number of blocks of a level that are merged to one of the next.
    static let mergedCount = 8
    /// The level whose blocks are not merged any more.
    static let highestLevel = 2

    let limits: QueryLimits
    private(set) var blocks: [Block] = []
    private(set) var nextNumber: UInt64 = 1

    init(limits: QueryLimits) { self.limits = limits }

    /// Returns the name of a part: its start, in steps since 1970, and its channel.
    static func name(_ begin: Int64, _ channel: String) -> ReferenceID { ReferenceID("\(begin) \(channel)") }

    /// Returns the start and the channel from the name of a part; `nil` if it is not such a name.
    static func place(of id: ReferenceID) -> (begin: Int64, channel: String)? {
        let words = id.rawValue.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let begin = Int64(words[0]), begin >= 0, !words[1].isEmpty else { return nil }
        return (begin, String(words[1]))
    }

    /// The size of the blocks, in bytes.
    var byteCount: Int { blocks.reduce(0) { $0 + $1.catalog.byteCount } }

    /// Adds a part, unless it is empty or there already, and merges blocks that are due.
    mutating func add(_ part: TimelinePart, channel: String) throws(EarshotError) {
        let name = Self.name(part.begin, channel)
        guard !part.signature.isEmpty, !blocks.contains(where: { $0.catalog.contains(name) }) else { return }
        var catalog = Catalog(queryLimits: limits)
        try catalog.add(part.signature, representing: [], id: name)
        append(try catalog.compacted(), level: 0)
        for level in 0..<Self.highestLevel {
            let members = blocks.filter { $0.level == level }
            guard members.count >= Self.mergedCount else { break }
            let merged = try Catalog(joining: members.map(\.catalog), queryLimits: limits).compacted()
            blocks.removeAll { $0.level == level }
            append(merged, level: level + 1)
        }
    }

    /// Adds a saved block, without the parts that other blocks have.
    mutating func restore(_ catalog: Catalog, number: UInt64) throws(EarshotError) {
        var catalog = catalog
        let whole = catalog.count
        for id in catalog.referenceIDs
        where Self.place(of: id) == nil || blocks.contains(where: { $0.catalog.contains(id) }) {
            try catalog.remove(id)
        }
        guard !catalog.isEmpty else { return }
        // The level follows from the approximate number of parts.
        let level = catalog.count <= 1 ? 0 : catalog.count <= 2 * Self.mergedCount ? 1 : 2
        reserve(number)
        var number = number
        if catalog.count < whole {
            // Changed content needs another file.
            number = nextNumber
            nextNumber += 1
        }
        blocks.append(Block(number: number, level: level, catalog: catalog))
    }

    /// Keeps a number from being given again.
    mutating func reserve(_ number: UInt64) { nextNumber = max(nextNumber, min(number, 1 << 48) + 1) }

    /// Replaces a block by the catalog that maps its file.
    mutating func moved(_ number: UInt64, to catalog: Catalog) {
        if let index = blocks.firstIndex(where: { $0.number == number }) { blocks[index].catalog = catalog }
    }

    private mutating func append(_ catalog: Catalog, level: Int) {
        blocks.append(Block(number: nextNumber, level: level, catalog: catalog))
        nextNumber += 1
    }

    /// Removes the parts for which a condition holds. A block of which less than half is left is laid out again.
    mutating func remove(where isGone: (_ begin: Int64, _ channel: String) -> Bool) throws(EarshotError) {
        var kept: [Block] = []
        for var block in blocks {
            for id in block.catalog.referenceIDs {
                guard let place = Self.place(of: id), isGone(place.begin, place.channel) else { continue }
                try block.catalog.remove(id)
                block.number = 0
            }
            guard !block.catalog.isEmpty else { continue }
            if block.number == 0 {
                // Changed content needs another file.
                block.number = nextNumber
                nextNumber += 1
                if block.catalog.isMostlyRemoved { block.catalog = try block.catalog.compacted() }
            }
            kept.append(block)
        }
        blocks = kept
    }
}
