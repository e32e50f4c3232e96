import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird

/// Sends the audio, covers and attachments of pieces.
struct PieceAudioController: Controller {
    let pieces: PieceService

    var endpoints: [Endpoint] {
        func answers(_ types: [String]) -> [Endpoint.Response] {
            Endpoint.Response.file(types) + [.noPiece, .gonePiece]
        }
        return [
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/audio",
                id: "pieceSound",
                summary:
                    "The sound of a piece, as it was dropped or in another format. Without a preview of its own the mix is played.",
                tag: "Pieces",
                access: .reader,
                parameters: [
                    .id("The piece."),
                    Endpoint.Parameter(
                        name: "kind",
                        schema: ["type": "string", "enum": ["stem", "preview"], "default": "stem"],
                        summary: "What for: to work with it, or to listen to it."
                    ),
                    .text("name", "The name of a stem; the mix where nothing is said."),
                    Endpoint.Parameter(
                        name: "format",
                        schema: Schemas.choice(["wave", "ogg", "m4a"]),
                        summary: "The format; as it was dropped where nothing is said."
                    ),
                ],
                responses: answers(StemFormat.allCases.map(\.mediaType)) + [
                    .failure(422, "The service cannot make this format, or of this sound.")
                ],
                handler: { try await sound($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/cover",
                id: "pieceCover",
                summary: "The cover of a piece.",
                tag: "Pieces",
                access: .reader,
                parameters: [.id("The piece.")],
                responses: answers(["image/png", "image/jpeg"]),
                handler: { context in
                    let (record, part) = try await part(.cover, context)
                    return try file(pieces.files.url(part, of: record.id), part, "", part.sha256, context)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/attachment",
                id: "pieceAttachment",
                summary: "The file that travels with a piece, as it was dropped.",
                tag: "Pieces",
                access: .reader,
                parameters: [.id("The piece.")],
                responses: answers(["application/octet-stream"]),
                handler: { context in
                    let (record, part) = try await part(.attachment, context)
                    var response = try file(
                        pieces.files.url(part, of: record.id),
                        part,
                        part.mediaType,
                        part.sha256,
                        context
                    )
                    response.headers[.contentDisposition] = disposition(part.fileName ?? "attachment")
                    return response
                }
            ),
        ]
    }

    private func part(
        _ kind: PartKind,
        _ context: RequestContext
    ) async throws -> (record: PieceRecord, part: StoredPart) {
        let record = try await pieces.piece(try context.path("id"), for: try await pieces.reader(context.identity))
        guard let part = record.part(kind) else {
            throw EarshotError(.pieceNotFound, "The piece \(record.id) has no \(kind.rawValue): choose another piece.")
        }
        try await pieces.vault.ensure(part, of: record.id)
        return (record, part)
    }

    private func sound(_ context: RequestContext) async throws -> Response {
        let kind: PartKind
        switch try context.text("kind") {
        case nil, "stem"?: kind = .stem
        case "preview"?: kind = .preview
        case let other?:
            throw EarshotError(.requestInvalid, "kind is \"\(other.prefix(40))\": say stem or preview.")
        }
        var format: StemFormat?
        if let name = try context.text("format") {
            format = StemFormat(rawValue: name) ?? (name == "ogg" ? .oggVorbis : name == "m4a" ? .aacM4A : nil)
            guard format != nil else {
                throw EarshotError(.requestInvalid, "format is \"\(name.prefix(40))\": say wave, ogg or m4a.")
            }
        }
        let record = try await pieces.piece(try context.path("id"), for: try await pieces.reader(context.identity))
        let part: StoredPart?
        if let name = try context.text("name") {
            guard kind == .stem else {
                throw EarshotError(.requestInvalid, "name is of a stem, and a preview is asked for: leave one out.")
            }
            part = record.stems.first { $0.name == name }
            guard part != nil else {
                throw EarshotError(
                    .pieceNotFound,
                    "The piece \(record.id) has no stem \"\(name.prefix(80))\": its stems are "
                        + "\(record.stems.isEmpty ? "none" : record.stems.compactMap(\.name).joined(separator: ", "))."
                )
            }
        } else {
            part = record.part(kind) ?? record.part(.stem)
        }
        guard let part, let dropped = part.format else {
            throw EarshotError(.pieceNotFound, "The piece \(record.id) has no audio: choose another piece.")
        }
        let wanted = format ?? dropped
        let title = [record.draft?.title, part.name].compactMap(\.self).joined(separator: " - ")
        let tags = AudioTags(
            title: title,
            artist: try await pieces.store.authors([record.author])[record.author]?.name.text,
            tempo: record.draft?.tempo,
            key: record.draft.flatMap { $0.tonality.initialKey(spelling: $0.rootSpelling) }
        )
        let converted = try await pieces.conversions.file(part, of: record.id, as: wanted, tags: tags)
        var response = try file(converted.url, part, wanted.mediaType, converted.sha256, context)
        // `inline` lets browsers play the file; the name is for those who save it.
        let name = String(title.map { "/\\:".contains($0) ? "-" : $0 })
        response.headers[.contentDisposition] = disposition("\(name).\(wanted.fileExtension)", "inline")
        return response
    }

    /// Returns a response with a file of a piece, with its digest.
    private func file(
        _ url: URL,
        _ part: StoredPart,
        _ type: String,
        _ sha256: String,
        _ context: RequestContext
    ) throws -> Response {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw EarshotError(
                .pieceNotFound,
                "The \(part.kind.called(part.name)) of this piece is no longer stored: choose another piece."
            )
        }
        var type = type
        if type.isEmpty {
            let handle = FileHandle(forReadingAtPath: url.path)
            defer { try? handle?.close() }
            let isPNG = (try? handle?.read(upToCount: 1)) == Data([0x89])
            type = isPNG ? "image/png" : "image/jpeg"
        }
        var response = try Response.file(url, type: type, tag: "\"\(sha256)\"", context.request.headers)
        // A piece may be private, or become so: shared caches must not store it, and browsers must ask again.
        response.headers[.cacheControl] = "private, no-cache"
        if let name = Self.reprDigest { response.headers[name] = "sha-256=:\(base64(hex: sha256)):" }
        return response
    }

    private static let reprDigest = HTTPField.Name("Repr-Digest")

    private func base64(hex: String) -> String {
        let digits = hex.utf8.map { $0 <= 0x39 ? $0 - 0x30 : $0 - 0x57 }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return Data(bytes).base64EncodedString()
    }

    /// Returns the value of `Content-Disposition`, with the name for a saved file (RFC 6266).
    private func disposition(_ name: String, _ kind: String = "attachment") -> String {
        let plain = String(
            name.unicodeScalars.map { scalar -> Character in
                let isPlain = (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
                return isPlain ? Character(scalar) : "_"
            }
        )
        let escaped = name.utf8.map { byte -> String in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal.uppercased()
        }.joined()
        return "\(kind); filename=\"\(plain)\"; filename*=UTF-8''\(escaped)"
    }
}
