import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotStations
import EarshotSignatures
import Foundation
import HTTPTypes
import Hummingbird

/// Lists unknown audio that stations repeat, and accepts names for it, for the operator.
struct RepeatController: Controller {
    let access: StationAccess

    private static var taken: Endpoint.Response {
        Endpoint.Response(status: 204, summary: "The monitor takes it up within seconds, or when it is started.")
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/repeats",
                id: "repeats",
                summary: "Unknown audio that stations repeat, what explains most first, and what was named.",
                tag: "Stations",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "What is repeated.",
                        type: "application/json",
                        schema: Schemas.reference("RepeatList")
                    ), .notFound,
                ],
                handler: { context in
                    let folder = try access.stations().sources.repeats
                    return try .json(
                        try await BlockingWork.run { () throws(EarshotError) in try RepeatList(folder) }
                    )
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/repeats/{id}/audio",
                id: "repeatAudio",
                summary: "The recording of repeated audio, as WAV.",
                tag: "Stations",
                access: .admin,
                parameters: [.id("The repeated audio.")],
                responses: Endpoint.Response.file("audio/wav") + [.notFound],
                handler: { context in
                    let folder = try access.stations().sources.repeats
                    let audio = try Self.candidate(try context.path("id"), folder)
                    guard let clip = audio.clip, clip == "clips/\(audio.id).wav", ResourceName.isValid(audio.id) else {
                        throw EarshotError(
                            .entityNotFound,
                            "There is no recording of the repeat \(audio.id.prefix(120)): list the current ones."
                        )
                    }
                    let file = folder.url.appendingPathComponent(clip)
                    let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
                    guard let date = values?.contentModificationDate else {
                        throw EarshotError(
                            .entityNotFound,
                            "There is no recording of the repeat \(audio.id.prefix(120)): list the current ones."
                        )
                    }
                    let tag = "\"\(audio.id)-\(Int64(date.timeIntervalSince1970 * 1_000))\""
                    return try Response.file(file, type: "audio/wav", tag: tag, context.request.headers)
                }
            ),
            Endpoint(
                method: .put,
                path: "/v1/repeats/{id}/name",
                id: "nameRepeat",
                summary: "Names repeated audio, so that it becomes a reference of the monitor.",
                tag: "Stations",
                access: .admin,
                parameters: [.id("The repeated audio.")],
                body: ["application/json": Schemas.reference("RepeatName")],
                isWriting: true,
                responses: [
                    Self.taken, .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                    .notFound,
                ],
                handler: { context in
                    let name = try await context.document(RepeatName.self)
                    let title = name.title.trimmingCharacters(in: .whitespacesAndNewlines)
                    guard !title.isEmpty,
                        [title, name.artist, name.kind].allSatisfy({ ($0 ?? "").utf8.count <= 1_000 })
                    else {
                        throw EarshotError(
                            .requestInvalid,
                            "The name has no title, or a text of more than 1,000 bytes: correct it."
                        )
                    }
                    context.note("title", title)
                    let (artist, kind) = (RepeatName.text(name.artist), RepeatName.text(name.kind))
                    let order = RepeatOrder(name: try context.path("id"), title: title, artist: artist, kind: kind)
                    try await leave(order)
                    return .empty
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/repeats/{id}",
                id: "dismissRepeat",
                summary: "Dismisses repeated audio: it is offered no more.",
                tag: "Stations",
                access: .admin,
                parameters: [.id("The repeated audio.")],
                responses: [Self.taken, .notFound],
                handler: { context in
                    try await leave(RepeatOrder(dismiss: try context.path("id")))
                    return .empty
                }
            ),
        ]
    }

    private func leave(_ order: RepeatOrder) async throws(EarshotError) {
        let folder = try access.stations().sources.repeats
        try await BlockingWork.run { () throws(EarshotError) in try folder.leave(order) }
    }

    private static func candidate(_ id: String, _ folder: RepeatFolder) throws(EarshotError) -> RepeatCandidate {
        guard let audio = try folder.offered().first(where: { $0.id == id }) else {
            throw EarshotError.missing("repeated audio", id)
        }
        return audio
    }
}

/// The metadata with which repeated audio is named.
private struct RepeatName: Decodable, Sendable {
    let title: String
    let artist: String?
    let kind: String?

    static func text(_ text: String?) -> String? {
        text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The repeated audio and the names given.
private struct RepeatList: Encodable, Sendable {
    struct Candidate: Encodable, Sendable {
        let id: String
        /// In seconds.
        let length: Double
        let count: Int
        let stations: [String]
        let firstHeard: Date
        let lastHeard: Date
        let kind: String?
        let hasAudio: Bool
        /// The title that was given and that the monitor has not processed yet; `nil` for none.
        let title: String?
        /// `true` if a dismissal was requested that the monitor has not processed yet.
        let isDismissed: Bool
    }

    struct Named: Encodable, Sendable {
        let id: String
        let title: String?
        let artist: String?
        let kind: String?
        /// In seconds.
        let length: Double
    }

    let repeats: [Candidate]
    let named: [Named]

    init(_ folder: RepeatFolder) throws(EarshotError) {
        let orders = folder.pendingOrders()
        repeats = try folder.offered().map { audio in
            let order = orders.last { $0.id == audio.id }
            return Candidate(
                id: audio.id,
                length: audio.length,
                count: audio.count,
                stations: audio.channels.map(\.rawValue),
                firstHeard: audio.firstHeard,
                lastHeard: audio.lastHeard,
                kind: audio.kind,
                hasAudio: audio.clip != nil,
                title: order.flatMap { $0.isDismissed ? nil : $0.title },
                isDismissed: order?.isDismissed ?? false
            )
        }
        let catalog = try folder.catalog()
        var named: [Named] = []
        for id in catalog.referenceIDs.reversed() {
            guard let reference = try catalog.reference(id) else { continue }
            let item = reference.items.first
            var kind: String?
            if case .string(let text)? = item?.properties["kind"] { kind = text }
            named.append(
                Named(
                    id: id.rawValue,
                    title: item?.title,
                    artist: item?.artist,
                    kind: kind,
                    length: reference.signature.duration.seconds
                )
            )
        }
        self.named = named
    }
}
