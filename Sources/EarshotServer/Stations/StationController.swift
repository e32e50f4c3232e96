import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotStations
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Access to the stations of a monitor, which a service may not have.
struct StationAccess: Sendable {
    /// The stations; `nil` if the service has none.
    let service: StationService?

    /// Returns the stations.
    ///
    /// - Throws: `entityNotFound` if the service has none.
    func stations() throws(EarshotError) -> StationService {
        guard let service else {
            throw EarshotError(
                .entityNotFound,
                "This service has no stations: its operator can name the folder of `earshot monitor run` with --stations DIR."
            )
        }
        return service
    }
}

/// Shows the present and past plays of stations to the operator.
struct StationController: Controller {
    let access: StationAccess
    let shutdown: ShutdownFlag
    let now: @Sendable () -> Date

    private static let day = Endpoint.Parameter(
        name: "day",
        schema: ["type": "string", "format": "date"],
        summary: "The day in the station's zone: 2026-05-01. Default: today."
    )

    private static func answer(_ name: String, _ summary: String) -> Endpoint.Response {
        Endpoint.Response(status: 200, summary: summary, type: "application/json", schema: Schemas.reference(name))
    }

    var endpoints: [Endpoint] { [list, events, plays, comparison, report] }

    private var list: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/stations",
            id: "stations",
            summary: "The stations of the monitor with what is on, the level, the last break, and the guide.",
            tag: "Stations",
            access: .admin,
            responses: [Self.answer("StationList", "The stations."), .notFound],
            handler: { context in try .json(try await access.stations().list(at: context.now)) }
        )
    }

    private var events: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/stations/events",
            id: "stationEvents",
            summary:
                "The stations as server-sent events with a list each, at most once a second, whenever something changes.",
            tag: "Stations",
            access: .admin,
            extent: .feed,
            responses: [
                .events("stations"), .notFound,
            ],
            handler: { context in
                let changes = try access.stations().changes(now: now, until: shutdown)
                return .events("stations", changes, confirming: context.confirm)
            }
        )
    }

    private var plays: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/stations/{id}/plays",
            id: "stationPlays",
            summary:
                "A day of a station: plays, breaks, when it was listened to, and the guide; or its plays as a file.",
            tag: "Stations",
            access: .admin,
            parameters: [
                .id("The station."), Self.day,
                Endpoint.Parameter(
                    name: "format",
                    schema: Schemas.choice(["json"] + PlaylogFormat.allCases.map(\.rawValue)),
                    summary: "json for this record; the others are files of plays alone. Default: json."
                ),
            ],
            responses: [
                Self.answer("StationDay", "The day."),
                Endpoint.Response(status: 200, summary: "The plays.", type: "text/csv", schema: Schemas.text),
                .notFound,
            ],
            handler: { context in
                let (id, day) = (try context.path("id"), try context.day())
                let service = try access.stations()
                guard let name = try context.text("format"), name != "json" else {
                    return try .json(try await service.day(day, of: id, at: context.now))
                }
                guard let format = PlaylogFormat(rawValue: name) else {
                    let known = PlaylogFormat.allCases.map(\.rawValue).joined(separator: ", ")
                    throw EarshotError(.requestInvalid, "\(name) is no format for plays: choose json, \(known).")
                }
                return try await Self.file(format, day, of: id, service, at: context.now)
            }
        )
    }

    private static func file(
        _ format: PlaylogFormat,
        _ day: PlayDay?,
        of id: String,
        _ service: StationService,
        at now: Date
    ) async throws(EarshotError) -> Response {
        let station = try await service.station(id)
        let day = day ?? PlayDay(of: now, in: station.zone)
        let query = PlayQuery(channels: [station.id], span: day.span(in: station.zone))
        var bytes = Data()
        var cursor: PlayCursor?
        var writer = PlaylogWriter(format, timeZone: station.zone) { data throws(EarshotError) in bytes += data }
        repeat {
            let page = try await service.sources.store.records(query, after: cursor, limit: 1_000)
            for record in page.items { try writer.write(record) }
            cursor = page.next
        } while cursor != nil
        try writer.finish()
        return .download(bytes, type: format.contentType, name: "\(id)-\(day).\(format.rawValue)")
    }

    private var comparison: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/stations/{id}/comparison",
            id: "stationComparison",
            summary: "A day of a station beside the programme guide: what was announced, and what was heard of it.",
            tag: "Stations",
            access: .admin,
            parameters: [.id("The station."), Self.day],
            responses: [Self.answer("StationComparison", "The comparison."), .notFound],
            handler: { context in
                let (id, day) = (try context.path("id"), try context.day())
                let comparison = try await access.stations().comparison(day, of: id, at: context.now)
                return try .json(
                    Comparison(
                        entries: comparison.entries,
                        unannounced: comparison.unannounced.map { LoggedPlay($0) }
                    )
                )
            }
        )
    }

    private struct Comparison: Encodable {
        let entries: [GuideComparison.Entry]
        let unannounced: [LoggedPlay]
    }

    private var report: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/stations/report",
            id: "stationReport",
            summary: "The report of a day: totals by station, kind and reference, and breaks.",
            tag: "Stations",
            access: .admin,
            parameters: [
                Self.day, .text("station", "Of this station alone, in its zone."),
                Endpoint.Parameter(name: "format", schema: Schemas.choice(["json", "csv"]), summary: "Default: json."),
            ],
            responses: [
                Self.answer("StationReport", "The report."),
                Endpoint.Response(status: 200, summary: "The report.", type: "text/csv", schema: Schemas.text),
                .notFound,
            ],
            handler: { context in
                let id = try context.text("station", upTo: 512)
                let report = try await access.stations().report(try context.day(), of: id, at: context.now)
                switch try context.text("format") ?? "json" {
                case "json": return try .json(report)
                case "csv":
                    let name = "report-\(id.map { "\($0)-" } ?? "")\(report.day).csv"
                    return .download(Data(report.csv().utf8), type: PlaylogFormat.csv.contentType, name: name)
                default:
                    throw EarshotError(.requestInvalid, "The format of the report is not known: choose json or csv.")
                }
            }
        )
    }
}

extension PlaylogFormat {
    /// The content type.
    fileprivate var contentType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8"
        case .jsonLines: "application/x-ndjson"
        case .m3u: "audio/x-mpegurl"
        case .list: "text/plain; charset=utf-8"
        }
    }
}

extension RequestContext {
    /// Returns the day in the query; `nil` if it is absent or empty.
    fileprivate func day() throws(EarshotError) -> PlayDay? {
        guard let text = try text("day", upTo: 20) else { return nil }
        guard let day = PlayDay(text) else {
            throw EarshotError(.requestInvalid, "day is \"\(text)\": write it as 2026-05-01.")
        }
        return day
    }
}

extension Response {
    /// Returns a response that a browser saves as a file.
    ///
    /// - Parameter name: The name of the file. Characters that are not allowed in names become hyphens.
    fileprivate static func download(_ data: Data, type: String, name: String) -> Response {
        let plain = String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") ? $0 : "-" }
        )
        var response = Response.bytes(data, type: type)
        response.headers[.contentDisposition] = "attachment; filename=\"\(plain)\""
        return response
    }
}
