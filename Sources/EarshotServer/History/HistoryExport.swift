import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Writes a user's history as a file.
struct HistoryExport: Sendable {
    /// The form of the file.
    enum Format: String, CaseIterable {
        /// Bodies of requests `POST /1/submit-listens`, one a line.
        case listenbrainz
        /// The entries with all stored properties.
        case json
    }

    /// The content type of JSON documents, one a line.
    private static let lines = "application/x-ndjson"

    let accounts: any AccountStore

    var endpoint: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/history/export",
            id: "exportHistory",
            summary: """
                The user's history as a file. listenbrainz: bodies of requests that bring listens of the past to ListenBrainz, each of at \
                most 1000 listens and on a line of its own, without places; entries without a title or an artist are left out. json: the \
                whole history, places included.
                """,
            tag: "Accounts",
            access: .user,
            parameters: [
                Endpoint.Parameter(
                    name: "format",
                    schema: [
                        "type": "string", "enum": .array(Format.allCases.map { .string($0.rawValue) }),
                        "default": "listenbrainz",
                    ],
                    summary: "The form of the file."
                )
            ],
            responses: [
                Endpoint.Response(status: 200, summary: "The listens.", type: Self.lines, schema: Schemas.text),
                Endpoint.Response(
                    status: 200,
                    summary: "The history.",
                    type: "application/json",
                    schema: Schemas.reference("HistoryPage")
                ),
            ],
            handler: { try await export($0) }
        )
    }

    private func export(_ context: RequestContext) async throws -> Response {
        let name = try context.text("format") ?? Format.listenbrainz.rawValue
        guard let format = Format(rawValue: name) else {
            throw EarshotError(
                .requestInvalid,
                "format is \"\(name.prefix(40))\": say \(Format.allCases.map(\.rawValue).joined(separator: " or "))."
            )
        }
        guard let user = context.identity.user else { throw EarshotError.missing("user", "me") }
        let entries = try await accounts.history(of: user, offset: 0, limit: .max)
        var response: Response
        let ending: String
        switch format {
        case .listenbrainz:
            ending = "jsonl"
            let listens = entries.compactMap(Self.entry)
            let documents = ListenBrainzExport().documents(listens).documents
            response = .bytes(Data(documents.map { $0 + Data("\n".utf8) }.joined()), type: Self.lines)
        case .json:
            ending = "json"
            response = try .json(HistoryPage(entries: entries, offset: 0, total: entries.count))
        }
        let day = context.now.formatted(.iso8601.year().month().day())
        response.headers[.contentDisposition] = "attachment; filename=\"earshot-\(format.rawValue)-\(day).\(ending)\""
        return response
    }

    /// Returns an entry in the form of exports; `nil` if its date is invalid.
    private static func entry(_ entry: UserHistoryEntry) -> HistoryEntry? {
        try? HistoryEntry(
            id: entry.id,
            match: entry.match,
            operation: .streamPCM,
            date: entry.date,
            place: entry.place
        )
    }
}
