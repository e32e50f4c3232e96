import EarshotBroadcast
import EarshotCore

/// A query for the airings in a span of time.
struct AiringQuery: Sendable {
    /// The columns of an airing, and their tables.
    static let columns = """
        a.start, a.finish, a.live, a.again, c.id AS channel_id, c.pk AS channel, c.json AS channel_json,
            p.pk AS program, p.json AS program_json
        FROM guide_airing a JOIN guide_channel c ON c.pk = a.channel JOIN guide_program p ON p.pk = a.program
        """

    /// The beginning and the end of the span, in milliseconds since 1970.
    let start: Int64
    let end: Int64
    /// The identifiers of the channels; `nil` for all.
    let channels: [String]?

    /// Returns the airings in order of beginnings and of the identifiers of channels.
    func airings(_ connection: PostgreSQLConnection, _ limit: Int, _ pageSize: Int) throws -> [Airing] {
        var airings: [Airing] = []
        var decoder = AiringDecoder()
        // An airing that reaches into the span began at most the longest duration of an airing before it.
        var from = Int(start - GuideSlot.maximumMilliseconds) + 1
        var last: String?
        while airings.count < limit {
            let size = min(pageSize, limit - airings.count)
            let rows = try page(connection, from, last, size)
            for row in rows { airings.append(try Self.airing(row, &decoder)) }
            guard rows.count == size, let row = rows.last else { break }
            from = try row.required("start", row.integer)
            last = try row.required("channel_id", row.text)
        }
        return airings
    }

    /// Returns the rows that begin at an instant or later; at that instant only those of channels behind `last`.
    private func page(
        _ connection: PostgreSQLConnection,
        _ from: Int,
        _ last: String?,
        _ size: Int
    ) throws -> [PostgreSQLRow] {
        var parameters: [PostgreSQLValue] = [
            .integer(from), .integer(Int(end)), .integer(Int(start)), .integer(size),
        ]
        var conditions = "a.start >= $1 AND a.start < $2 AND a.finish > $3"
        if let last {
            parameters.append(.text(last))
            conditions += " AND (a.start > $1 OR c.id > $\(parameters.count))"
        }
        if let channels {
            parameters.append(.texts(channels))
            conditions += " AND c.id = ANY($\(parameters.count))"
        }
        return try connection.run(
            "SELECT \(Self.columns) WHERE \(conditions) ORDER BY a.start, c.id LIMIT $4",
            parameters
        ).rows
    }

    /// Returns the airing of a row.
    static func airing(_ row: PostgreSQLRow, _ decoder: inout AiringDecoder) throws(EarshotError) -> Airing {
        try decoder.airing(
            of: (Int64(try row.required("channel", row.integer)), try row.required("channel_json", row.text)),
            showing: (Int64(try row.required("program", row.integer)), try row.required("program_json", row.text)),
            milliseconds: (
                Int64(try row.required("start", row.integer)), Int64(try row.required("finish", row.integer))
            ),
            isLive: try row.required("live", row.bool),
            isRepeat: try row.required("again", row.bool)
        )
    }
}
