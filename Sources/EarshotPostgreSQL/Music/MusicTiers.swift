import EarshotMusic

/// Keeps the tiers of the keys of a kind at their sizes.
///
/// A tier holds the keys from its first number to that of the next one. A tier that is too large gives its last keys to the next,
/// and one that is too small takes the first ones from there, a few after each change, so that no change takes long. Until then
/// searches are slower; what they find is the same.
struct MusicTiers {
    /// The most keys that are moved between two tiers after a change, besides as many as it wrote.
    private static let pace = 1_000

    let table: String
    /// The first number of each tier that was begun.
    private(set) var first: [Int]
    private(set) var counts: [Int]
    private var greatest: Int
    private var written = 0

    /// Reads the tiers of a kind.
    init(_ table: String, _ connection: PostgreSQLConnection) throws {
        self.table = table
        let rows = try connection.rows("SELECT first, count FROM music_tier WHERE keys = $1 ORDER BY tier", table)
        first = try rows.map { row in try row.required("first", row.integer) }
        counts = try rows.map { row in try row.required("count", row.integer) }
        if first.isEmpty { (first, counts) = ([Int.min], [0]) }
        greatest =
            try connection.row("SELECT max(number) AS greatest FROM music_\(table)_key")?.integer("greatest") ?? Int.min
    }

    /// Returns the tier of an added key, and counts the key. Ascending numbers fill one tier after the other.
    mutating func add(_ number: Int) -> Int {
        var tier = first.lastIndex { $0 <= number } ?? 0
        if tier == first.count - 1, tier < MusicTables.tierSizes.count, counts[tier] >= MusicTables.tierSizes[tier],
            number > greatest
        {
            first.append(number)
            counts.append(0)
            tier += 1
        }
        counts[tier] += 1
        written += 1
        greatest = max(greatest, number)
        return tier
    }

    /// Counts keys that were removed from a tier.
    mutating func remove(_ count: Int, from tier: Int) {
        guard counts.indices.contains(tier) else { return }
        counts[tier] -= count
        written += count
    }

    // MARK: - Sizes

    /// Moves keys between tiers, and writes the tiers down.
    mutating func balance(_ connection: PostgreSQLConnection) throws {
        let most = written + Self.pace
        for (tier, size) in MusicTables.tierSizes.enumerated() where tier < counts.count {
            if counts[tier] > size + size / 4 { try push(min(counts[tier] - size, most), from: tier, connection) }
        }
        for (tier, size) in MusicTables.tierSizes.enumerated().reversed() where tier + 1 < counts.count {
            if counts[tier] < size / 2 { try pull(min(size - counts[tier], most), to: tier, connection) }
        }
        try connection.change(
            """
            INSERT INTO music_tier (keys, tier, first, count) SELECT $1, tier - 1, first, count
            FROM unnest($2, $3) WITH ORDINALITY AS tiers (first, count, tier)
            ON CONFLICT (keys, tier) DO UPDATE SET first = excluded.first, count = excluded.count
            """,
            table,
            PostgreSQLValue.integers(first),
            PostgreSQLValue.integers(counts)
        )
        written = 0
    }

    private mutating func push(_ count: Int, from tier: Int, _ connection: PostgreSQLConnection) throws {
        let end = end(of: tier)
        let row = try connection.row(
            """
            SELECT number FROM music_\(table)_key WHERE number >= $1 AND number < $2 ORDER BY number DESC LIMIT 1 OFFSET $3
            """,
            first[tier],
            end,
            count - 1
        )
        guard let border = try row?.integer("number") else { return }
        if tier + 1 == first.count {
            first.append(border)
            counts.append(0)
        }
        first[tier + 1] = border
        try move(from: border, to: end, tier, tier + 1, connection)
    }

    private mutating func pull(_ count: Int, to tier: Int, _ connection: PostgreSQLConnection) throws {
        guard counts[tier + 1] > 0 else {
            first[tier + 1] = end(of: tier + 1)
            return
        }
        let (begin, end) = (first[tier + 1], end(of: tier + 1))
        let row = try connection.row(
            """
            SELECT number FROM music_\(table)_key WHERE number >= $1 AND number < $2 ORDER BY number LIMIT 1 OFFSET $3
            """,
            begin,
            end,
            count
        )
        let border = try row?.integer("number") ?? end
        first[tier + 1] = border
        try move(from: begin, to: border, tier + 1, tier, connection)
    }

    private mutating func move(
        from first: Int,
        to end: Int,
        _ old: Int,
        _ new: Int,
        _ connection: PostgreSQLConnection
    ) throws {
        let moved = try connection.change(
            "UPDATE music_\(table)_key SET tier = $3 WHERE number >= $1 AND number < $2",
            first,
            end,
            new
        )
        counts[old] -= moved
        counts[new] += moved
    }

    /// Returns the number at which a tier ends.
    private func end(of tier: Int) -> Int { tier + 1 < first.count ? first[tier + 1] : Int.max }
}
