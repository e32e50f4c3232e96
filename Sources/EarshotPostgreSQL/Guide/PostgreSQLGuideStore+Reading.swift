package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
package import Foundation

extension PostgreSQLGuideStore {
    // MARK: - Entities

    /// Returns a work; `nil` if it is not known.
    package func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork? {
        try await pool.read { connection in
            let work: VideoWork? = try Self.entity(connection, "guide_work", id.rawValue)
            return work?.showing(links: links)
        }
    }

    /// Returns a program; `nil` if it is not known.
    package func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program? {
        try await pool.read { connection in
            let program: Program? = try Self.entity(connection, "guide_program", id.rawValue)
            return program?.showing(links: links)
        }
    }

    /// Returns a channel; `nil` if it is not known.
    package func channel(
        _ id: EntityID<BroadcastChannel>,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        try await channel(identifier: id.rawValue, tag: "", source: .televisionChannel, links: links)
    }

    /// Returns the channel of an identifier that comes from elsewhere; `nil` if there is none.
    package func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        let linked = """
            SELECT c.json FROM guide_channel_xmltv x JOIN guide_channel c ON c.pk = x.channel
            WHERE x.value = $1 AND ($2 = '' OR c.tag = $2) ORDER BY c.id LIMIT 1
            """
        let own = "SELECT json FROM guide_channel WHERE id = $1 AND ($2 = '' OR tag = $2)"
        guard let identifier = GuideKey.sought(identifier), let tag = GuideKey.sought(tag) else { return nil }
        return try await pool.read { connection in
            for sql in source == .xmltv ? [linked, own] : [own] {
                guard let row = try connection.row(sql, identifier, tag) else { continue }
                let channel: BroadcastChannel = try Self.value(row)
                return channel.showing(links: links)
            }
            return nil
        }
    }

    /// Returns all channels, in order of their identifiers.
    package func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel] {
        try await pool.read { connection in
            try connection.rows("SELECT json FROM guide_channel ORDER BY id").map { row in
                let channel: BroadcastChannel = try Self.value(row)
                return channel.showing(links: links)
            }
        }
    }

    private static func entity<Value: Decodable>(
        _ connection: PostgreSQLConnection,
        _ table: String,
        _ id: String
    ) throws -> Value? {
        guard let id = GuideKey.sought(id) else { return nil }
        return try connection.row("SELECT json FROM \(table) WHERE id = $1", id).map { try value($0) }
    }

    private static func value<Value: Decodable>(_ row: PostgreSQLRow) throws(EarshotError) -> Value {
        try GuideRecord.value(try row.required("json", row.text))
    }

    // MARK: - Airings

    /// Returns the airings in a span, also those that began before it, in order of beginnings and of the identifiers of channels.
    package func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing] {
        let query = AiringQuery(
            start: GuideSlot.clamped(start),
            end: GuideSlot.clamped(end),
            channels: channels?.compactMap { GuideKey.sought($0.rawValue) }
        )
        let (limit, pageSize) = (max(0, limit), pageSize)
        return try await pool.read { connection in
            guard limit > pageSize else { return try query.airings(connection, limit, pageSize) }
            // Several statements: `REPEATABLE READ` makes all pages see the same moment.
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            do {
                let airings = try query.airings(connection, limit, pageSize)
                try connection.execute("COMMIT")
                return airings
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }

    /// Returns the airing on a channel at an instant; `nil` if it is not known.
    package func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing? {
        let instant = GuideSlot.clamped(date)
        guard let id = GuideKey.sought(channel.rawValue) else { return nil }
        return try await pool.read { connection in
            // A subquery for the channel: with a join, the planner may scan the airings of all channels from the latest on.
            let row = try connection.row(
                """
                SELECT \(AiringQuery.columns)
                WHERE a.channel = (SELECT pk FROM guide_channel WHERE id = $1)
                    AND a.start <= $2 AND a.start > $3 AND a.finish > $2
                ORDER BY a.start DESC LIMIT 1
                """,
                id,
                Int(instant),
                Int(instant - GuideSlot.maximumMilliseconds)
            )
            var decoder = AiringDecoder()
            return try row.map { try AiringQuery.airing($0, &decoder) }
        }
    }

    // MARK: - Titles

    /// Returns the works whose titles contain all words of a text.
    package func works(titled text: String, limit: Int) async throws(EarshotError) -> [VideoWork] {
        let works: [VideoWork] = try await found("guide_work", text, limit)
        return works.map { $0.showing(links: false) }
    }

    /// Returns the programs whose titles contain all words of a text.
    package func programs(titled text: String, limit: Int) async throws(EarshotError) -> [Program] {
        let programs: [Program] = try await found("guide_program", text, limit)
        return programs.map { $0.showing(links: false) }
    }

    private func found<Value: Decodable & Sendable>(
        _ table: String,
        _ text: String,
        _ limit: Int
    ) async throws(EarshotError) -> [Value] {
        let search = TitleSearch(text)
        guard !search.readings.isEmpty, limit > 0 else { return [] }
        var parameters: [PostgreSQLValue] = [.text(search.name), .integer(limit)]
        func parameter(_ value: PostgreSQLValue) -> String {
            parameters.append(value)
            return "$\(parameters.count)"
        }
        let readings = search.readings.map { reading in
            let words = Set(reading.filter { !$0.isPrefix }.map { GuideKey.word($0.word) })
            let beginnings = Array(Set(reading.filter(\.isPrefix).map { GuideKey.word($0.word) }))
            // One row for each word of an entity: an entity with all words has as many rows as there are words.
            var terms = ["SELECT entity FROM \(table)_word WHERE word = ANY(\(parameter(.texts(Array(words)))))"]
            if !beginnings.isEmpty {
                // U+10FFFF is the greatest character, so this range contains every word with the beginning.
                let bounds =
                    "\(parameter(.texts(beginnings))), \(parameter(.texts(beginnings.map { $0 + "\u{10FFFF}" })))"
                terms.append(
                    """
                    SELECT entity FROM (
                        SELECT DISTINCT w.entity, sought.first FROM unnest(\(bounds)) AS sought (first, last)
                        JOIN \(table)_word w ON w.word >= sought.first AND w.word < sought.last) AS begun
                    """
                )
            }
            let count = parameter(.integer(words.count + beginnings.count))
            return """
                SELECT entity FROM (\(terms.joined(separator: " UNION ALL "))) AS term
                GROUP BY entity HAVING count(*) = \(count)
                """
        }
        let sql = """
            SELECT json FROM \(table) WHERE pk IN (\(readings.joined(separator: " UNION ")))
            ORDER BY name = $1 DESC, name, id LIMIT $2
            """
        return try await pool.read { [parameters] connection in
            try connection.run(sql, parameters).rows.map { try Self.value($0) }
        }
    }
}
