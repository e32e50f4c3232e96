import EarshotCore
import Hummingbird
import Logging

/// Shows the last lines of the log to the operator.
struct LogController: Controller {
    let log: LogBuffer

    private struct Page: Encodable {
        let lines: [LogBuffer.Line]
        /// The number of the last line of the log, for `after` of the next request.
        let last: Int
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/admin/log",
                id: "log",
                summary: "The last lines of the service's log, at most \(LogBuffer.limit), in order.",
                tag: "Operator",
                access: .admin,
                parameters: [
                    Endpoint.Parameter(
                        name: "after",
                        schema: ["type": "integer", "minimum": 0],
                        summary: "The number after which lines come. Default: 0."
                    ),
                    Endpoint.Parameter(
                        name: "limit",
                        schema: ["type": "integer", "minimum": 1, "maximum": .integer(LogBuffer.limit)],
                        summary: "The most lines; of more the last ones. Default: 200."
                    ),
                    Endpoint.Parameter(
                        name: "level",
                        schema: Schemas.choice(Logger.Level.allCases.map(\.rawValue)),
                        summary: "The least severe level. Default: trace."
                    ),
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The lines.",
                        type: "application/json",
                        schema: Schemas.reference("LogPage")
                    )
                ],
                handler: { context in
                    let after = try context.number("after", 0...1_000_000_000_000, default: 0)
                    let limit = try context.number("limit", 1...LogBuffer.limit, default: 200)
                    let name = try context.text("level", upTo: 20) ?? Logger.Level.trace.rawValue
                    guard let level = Logger.Level(rawValue: name) else {
                        throw EarshotError(
                            .requestInvalid,
                            "level is not known: choose \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
                        )
                    }
                    // Read before the lines: a line that comes in between is then in the next answer.
                    let last = log.last
                    let lines = log.lines(after: after, level: level, limit: limit)
                    return try .json(Page(lines: lines, last: max(last, lines.last?.number ?? 0)))
                }
            )
        ]
    }
}
