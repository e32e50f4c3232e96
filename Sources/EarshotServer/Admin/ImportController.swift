import EarshotAPI
import EarshotCore
import EarshotMusic
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Imports tables of tracks, catalogs and lyrics that the operator sends.
struct ImportController: Controller {
    let files: ImportFiles
    let jobs: JobQueue
    let disk: DiskReserve
    let catalog: CatalogProvider
    let music: any MusicStore

    /// The answer to an import of lyrics.
    private struct LyricsRecord: Encodable {
        let artist: String
        let title: String
        let lines: Int
        /// The identifiers of the tracks with this artist and title; empty if there is none yet: a later one gets the lyrics.
        let tracks: [String]
    }

    private static let file: Endpoint.Body = ["application/octet-stream": ["type": "string", "format": "binary"]]

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/admin/imports",
                id: "importFile",
                summary: """
                    Has a file imported: a table of tracks into the store of music, or the references of a catalog file into the catalog \
                    that is served. The answer is the job.
                    """,
                tag: "Operator",
                access: .admin,
                parameters: [
                    Endpoint.Parameter(
                        name: "kind",
                        schema: Schemas.choice(ImportWorker.Kind.allCases.map(\.rawValue)),
                        summary: "What the file is for.",
                        isRequired: true
                    ),
                    .text("name", "The name of the file, for messages."),
                    .flag("ignoreUnknown", "columns of a table that are not known are passed over."),
                ],
                body: Self.file,
                isWriting: true,
                extent: .upload,
                responses: [
                    Endpoint.Response(
                        status: 202,
                        summary: "Accepted.",
                        type: "application/json",
                        schema: Schemas.reference("JobRecord")
                    ),
                    .failure(408, "The upload took too long."), .failure(413, "The file is too large."),
                    .failure(507, "There is no room for the file."),
                ],
                handler: { try await take($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/admin/imports/{id}",
                id: "importReport",
                summary:
                    "What came of an import, with the first \(ImportReport.rejectLimit) lines that were passed over.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The job.")],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "What came of it.",
                        type: "application/json",
                        schema: Schemas.reference("ImportReport")
                    ), .notFound,
                ],
                handler: { context in
                    let (id, files) = (try context.path("id"), files)
                    let report = try await BlockingWork.run { () throws(EarshotError) in files.report(of: id) }
                    guard let report else { throw EarshotError.missing("report of an import", id) }
                    return try .json(report)
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/admin/lyrics",
                id: "importLyrics",
                summary: """
                    Imports a file of lyrics, LRC or plain text. Tags in it or its name, "Artist - Title", tell whose words they are; they go \
                    to the tracks of that artist and title.
                    """,
                tag: "Operator",
                access: .admin,
                parameters: [.text("name", "The name of the file.", isRequired: true)],
                body: Self.file,
                isWriting: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The words and their tracks.",
                        type: "application/json",
                        schema: Schemas.reference("LyricsRecord")
                    ),
                    .failure(400, "The file cannot be used."), .failure(413, "The file is too large."),
                ],
                handler: { try await takeLyrics($0) }
            ),
        ]
    }

    // MARK: - Tables and catalogs

    private func take(_ context: RequestContext) async throws -> Response {
        guard let kind = try context.text("kind", upTo: 40).flatMap(ImportWorker.Kind.init(rawValue:)) else {
            let known = ImportWorker.Kind.allCases.map(\.rawValue).joined(separator: " or ")
            throw EarshotError(.requestInvalid, "kind is missing or not known: say \(known).")
        }
        let name = try context.text("name") ?? "the file"
        let ignoresUnknown = try context.flag("ignoreUnknown")
        if kind == .mergeCatalog { try catalog.checkChangeable() }
        context.note("kind", kind.rawValue)
        context.note("name", name)
        let announced = context.request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > ImportFiles.limit { throw Self.tooLarge }
        try await disk.admit(max(1, announced ?? 1))
        let file = try await write(context.request.body, announced ?? ImportFiles.limit, context.settings)
        do {
            let job = try await jobs.submit(
                kind: kind.rawValue,
                owner: context.identity.name,
                isOperator: true,
                isLocal: true,
                input: ["file": file, "name": name, "ignoreUnknown": ignoresUnknown ? "1" : "0"]
            )
            return try .json(JobRecord(job), .accepted)
        } catch {
            files.remove(file)
            throw error
        }
    }

    /// The number of bytes after which the free disk space is checked again.
    private static let checkInterval = 16 << 20

    /// Writes a request body into a file, and checks the free disk space while it grows.
    ///
    /// - Returns: The name of the file.
    private func write(_ body: RequestBody, _ size: Int, _ settings: ServiceSettings) async throws -> String {
        let (files, disk) = (files, disk)
        let made = try await BlockingWork.run { () throws(EarshotError) in
            let made = try files.make()
            return Made(name: made.name, handle: made.handle)
        }
        do {
            try await withTimeLimit(settings.uploadTime + .seconds(size / PaceMeter.leastPace), "The upload") {
                var (count, unchecked) = (0, 0)
                for try await block in body {
                    count += block.readableBytes
                    unchecked += block.readableBytes
                    guard count <= ImportFiles.limit else { throw Self.tooLarge }
                    let isDue = unchecked >= Self.checkInterval
                    if isDue { unchecked = 0 }
                    try await BlockingWork.run { () throws(EarshotError) in
                        if isDue { try disk.check() }
                        do {
                            try made.handle.write(contentsOf: Data(block.readableBytesView))
                        } catch {
                            throw ImportFiles.unwritable(error)
                        }
                    }
                }
                try made.handle.close()
                guard count > 0 else { throw EarshotError(.requestInvalid, "The request has no body: send the file.") }
            }
        } catch {
            files.remove(made.name)
            throw error
        }
        return made.name
    }

    /// An open file. Safe to send: the thread that opens it hands it over, and only the task that receives it uses it.
    private struct Made: @unchecked Sendable {
        let name: String
        let handle: FileHandle
    }

    private static var tooLarge: EarshotError {
        EarshotError(
            .uploadTooLarge,
            "The file has more than the \(ImportFiles.limit >> 30) GiB that are allowed: split it."
        )
    }

    // MARK: - Lyrics

    private func takeLyrics(_ context: RequestContext) async throws -> Response {
        let name = try context.text("name") ?? ""
        context.note("name", name)
        let limit = LRCFile.maximumSize
        let bytes = try await context.body(
            upTo: limit,
            EarshotError(.uploadTooLarge, "The file has more than \(limit >> 20) MiB: check that it holds lyrics.")
        )
        let file = try LRCFile(bytes)
        let named = LyricsMatching.names(ofFile: (name as NSString).deletingPathExtension)
        guard let artist = file.artist ?? named?.artist, let title = file.title ?? named?.title else {
            throw EarshotError(
                .metadataInvalid,
                "Nothing says whose words these are: write [ar:…] and [ti:…] into the file, or name it \"Artist - Title\"."
            )
        }
        let tracks = try await LyricsMatching(in: music).tracks(artist: artist, title: title)
        let lyrics = LyricsMatching.lyrics(file, artist: artist, title: title, tracks: tracks)
        try await music.apply([.lyrics(lyrics)])
        return try .json(
            LyricsRecord(artist: artist, title: title, lines: lyrics.lines.count, tracks: tracks.map(\.rawValue))
        )
    }
}
