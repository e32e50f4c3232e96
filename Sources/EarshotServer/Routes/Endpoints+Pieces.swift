import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird

extension Endpoints {
    // MARK: - Pieces

    private static let tag = "Pieces"
    /// The most code points of what an author says of a piece.
    private static let longestDescription = 5_000

    static var pieces: [Endpoint] { pieceRecords + pieceRelations + pieceParts + pieceSound + pieceRecognition }

    private static func piece(_ status: Int, _ summary: String) -> Endpoint.Answer {
        Endpoint.Answer(
            status: status,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("Piece")
        )
    }

    private static var pieceRecords: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/pieces",
                id: "beginPiece",
                summary:
                    "Begins a drop: the draft, and the parts that will be sent. All that is wrong is told at once.",
                tag: tag,
                access: .user,
                body: ["application/json": Schemas.reference("PieceCreation")],
                answers: [
                    Endpoint.Answer(
                        status: 201,
                        summary: "It may be sent: where each part goes.",
                        type: "application/json",
                        schema: Schemas.reference("PieceCreated")
                    ),
                    .failure(403, "The user has no author: say with PUT /v1/author who publishes."),
                    .failure(413, "A part is too large."), .failure(415, "The body is not JSON."),
                    .failure(422, "The draft is wrong, or one of its parents is not there."),
                ],
                handler: { try await begin($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces",
                id: "findPieces",
                summary: "Listed pieces that fit, the one published last first.",
                tag: tag,
                access: .reader,
                parameters: searchParameters + Schemas.page(limit: 100, default: 20),
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "A part of those that fit.",
                        type: "application/json",
                        schema: Schemas.reference("PiecePage")
                    )
                ],
                handler: { try await find($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}",
                id: "piece",
                summary: "What is said of a piece.",
                tag: tag,
                access: .reader,
                parameters: [.id("The piece.")],
                answers: [piece(200, "The piece."), .noPiece, .gonePiece],
                handler: { call in
                    let pieces = call.core.pieces
                    let record = try await pieces.piece(
                        try call.path("id"),
                        for: try await pieces.reader(call.identity)
                    )
                    return try .json(try await pieces.told(record, base: call.base))
                }
            ),
            Endpoint(
                method: .patch,
                path: "/v1/pieces/{id}",
                id: "changePiece",
                summary: "Changes title, description, or who may see a piece. What is left out stays.",
                tag: tag,
                access: .client,
                parameters: [.id("The piece.")],
                body: ["application/json": Schemas.reference("PieceChange")],
                answers: [
                    piece(200, "The piece as it is now."), .foreignPiece, .noPiece, .gonePiece,
                    .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                    .failure(422, "The title or the description is wrong."),
                ],
                handler: { try await change($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/pieces/{id}",
                id: "removePiece",
                summary:
                    "Removes a piece with its files. Its identifier stays for those that are based on it; of a drop that was not published nothing stays.",
                tag: tag,
                access: .client,
                parameters: [.id("The piece.")],
                answers: [
                    Endpoint.Answer(status: 204, summary: "Removed."), .foreignPiece, .noPiece, .gonePiece,
                ],
                handler: { call in
                    let pieces = call.core.pieces
                    let record = try await pieces.piece(
                        changedBy: try await pieces.reader(call.identity),
                        try call.path("id"),
                        isPublished: false
                    )
                    try await pieces.remove(record.id)
                    return .empty
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/pieces/{id}/publish",
                id: "publishPiece",
                summary: "Publishes a piece whose parts are all there. May be repeated.",
                tag: tag,
                access: .client,
                parameters: [.id("The piece.")],
                answers: [
                    piece(200, "The piece."), .foreignPiece, .noPiece, .gonePiece,
                    .failure(409, "The stem, or another part that was announced, is not complete."),
                ],
                handler: { try await publish($0) }
            ),
        ]
    }

    // MARK: - Beginning and publishing

    private static func begin(_ call: Call) async throws -> Response {
        let pieces = call.core.pieces
        guard let author = try await pieces.reader(call.identity).author else {
            throw EarshotError(
                .accessDenied,
                "This user has no name to publish under: give one with PUT /v1/author."
            )
        }
        let creation = try await call.document(PieceCreation.self)
        let violations = creation.draft.violations
        guard violations.isEmpty else { throw HTTPFailure(violations) }
        try check(description: creation.description)
        let parts = try PartRules(call.core.settings).parts(creation.parts)
        let draft: PieceDraft
        do throws(DraftErrors) {
            draft = try creation.draft.draft()
        } catch {
            throw HTTPFailure(error.violations)
        }
        // Of a piece that may not be seen it is not told that it is there.
        let reader = PieceService.Reader(author: author)
        for (id, parent) in try await pieces.store.pieces(draft.basedOn)
        where parent.state == .published && !reader.maySee(parent) {
            throw EarshotError(
                .unknownParent,
                "The piece is based on \(id), which is not there: check its identifier."
            )
        }
        // A client that chose the identifier can ask again when the answer was lost.
        if let id = creation.draft.id, let known = try await pieces.store.piece(id) {
            guard known.state == .draft, known.author == author.id, known.draft == draft,
                known.parts.map(\.sha256) == parts.map(\.sha256), known.parts.map(\.name) == parts.map(\.name)
            else {
                throw HTTPFailure.conflict(
                    EarshotError(.requestInvalid, "There is another piece \(id): leave the identifier out.")
                )
            }
            return try await begun(known, pieces)
        }
        let most = call.core.settings.pieceDrafts
        guard try await pieces.store.draftCount(ofAuthor: author.id) < most else {
            throw EarshotError(
                .quotaExceeded,
                "\(author.name.text) has \(most) drops under way, which is as many as may be: publish or remove one of them, "
                    + "or wait: what is not published is given up after a day."
            )
        }
        let bytes = try await pieces.store.partBytes(ofAuthor: author.id) + parts.reduce(0) { $0 + $1.size }
        let room = call.core.settings.pieceAuthorLimit
        guard bytes <= room else {
            throw EarshotError(
                .quotaExceeded,
                "The pieces of \(author.name.text) would have \(bytes) bytes together, and \(room) are what an author has: remove some "
                    + "of them, or ask the operator for more."
            )
        }
        let record = PieceRecord(
            id: creation.draft.id ?? PieceID(),
            author: author.id,
            draft: draft,
            description: creation.description,
            visibility: creation.visibility,
            begun: call.core.now(),
            parts: parts
        )
        try await pieces.store.add(record)
        return try await begun(record, pieces)
    }

    /// What a drop that has begun is answered with.
    private static func begun(_ record: PieceRecord, _ pieces: PieceService) async throws -> Response {
        let files = pieces.files
        let uploads = try await BlockingWork.run { () throws(EarshotError) in
            record.parts.map { UploadState($0, received: files.received($0, of: record.id)) }
        }
        return try .json(
            PieceCreated(id: record.id, uploads: uploads, warnings: record.draft?.warnings ?? []),
            .created
        )
    }

    private static func check(description: String) throws(EarshotError) {
        guard description.unicodeScalars.count <= longestDescription, !description.unicodeScalars.contains("\0") else {
            throw EarshotError(
                .pieceInvalid,
                "The description has more than \(longestDescription) code points, or a zero byte: shorten it."
            )
        }
    }

    private static func publish(_ call: Call) async throws -> Response {
        let pieces = call.core.pieces
        let reader = try await pieces.reader(call.identity)
        let record = try await pieces.piece(changedBy: reader, try call.path("id"), isPublished: false)
        // Milliseconds are what goes over the wire.
        let now = Date(timeIntervalSince1970: (call.core.now().timeIntervalSince1970 * 1_000).rounded() / 1_000)
        let published: PieceRecord?
        do throws(EarshotError) {
            published = try await publish(record, at: now, pieces)
        } catch {
            guard error.code == .uploadFailed else { throw error }
            throw HTTPFailure.conflict(error)
        }
        guard let published else { throw PieceService.missing(record.id.description) }
        if record.state == .draft { pieces.listen() }
        return try .json(try await pieces.told(published, base: call.base))
    }

    /// Publishes a piece once all of it is where it is kept: before anybody can ask for it.
    ///
    /// - Returns: The piece as it is now; nothing where it was given up meanwhile.
    /// - Throws: `stemMissing`, `uploadFailed`, `storeUnavailable`.
    private static func publish(
        _ begun: PieceRecord,
        at now: Date,
        _ pieces: PieceService
    ) async throws(EarshotError) -> PieceRecord? {
        let (id, name) = (begun.id, pieces.vault.storeName)
        var record = begun
        while record.state == .draft {
            var kept: Set<String> = []
            for part in record.parts where part.isComplete {
                if name != nil, part.keptIn != name { try await pieces.vault.keep(part, of: id) }
                kept.insert(part.id)
            }
            let known = kept
            let changed = try await pieces.store.update(id) { piece throws(EarshotError) in
                guard piece.state == .draft else { return }
                guard piece.part(.stem)?.isComplete == true else {
                    throw EarshotError(
                        .stemMissing,
                        "The piece \(piece.id) has no stem yet: announce it, and send all of it before publishing."
                    )
                }
                if let part = piece.parts.first(where: { !$0.isComplete }) {
                    throw EarshotError(
                        .uploadFailed,
                        "The \(part.kind.called(part.name)) of the piece \(piece.id) is not complete: send the rest of it first."
                    )
                }
                // What became complete meanwhile is kept first.
                guard piece.parts.allSatisfy({ known.contains($0.id) }) else { return }
                for index in piece.parts.indices { piece.parts[index].keptIn = name }
                piece.state = .published
                piece.published = now
            }
            guard let changed else {
                if name != nil { try await pieces.discardAgain(kept, of: id) }
                return nil
            }
            record = changed
        }
        return record
    }

    private static func change(_ call: Call) async throws -> Response {
        let pieces = call.core.pieces
        let reader = try await pieces.reader(call.identity)
        let record = try await pieces.piece(changedBy: reader, try call.path("id"))
        let change = try await call.document(PieceChange.self, limit: 64 << 10)
        if let description = change.description { try check(description: description) }
        guard let draft = record.draft else { throw PieceService.missing(record.id.description) }
        var form = DraftForm(draft)
        if let title = change.title { form.title = title }
        let violations = form.violations
        guard violations.isEmpty else { throw HTTPFailure(violations) }
        let title = form.title
        let changed = try await pieces.store.update(record.id) { piece throws(EarshotError) in
            if change.title != nil, let draft = piece.draft {
                var form = DraftForm(draft)
                form.title = title
                piece.draft = try? form.draft()
            }
            if let description = change.description { piece.description = description }
            if let visibility = change.visibility { piece.visibility = visibility }
        }
        guard let changed else { throw HTTPFailure.gone(record.id) }
        return try .json(try await pieces.told(changed, base: call.base))
    }

    // MARK: - Searching

    private static var searchParameters: [Endpoint.Parameter] {
        let count: JSONValue = ["type": "integer", "minimum": 0, "maximum": 1_200_000_000]
        return [
            .text("q", "Words of the title, or begins of them."),
            .text("author", "The name of the author in any letter case; me for all of the user's own."),
            .text("key", "The key, as A minor or Eb major, or mask:MASK:ROOT with the twelve bits and the root."),
            Endpoint.Parameter(name: "compatible", schema: Schemas.flag, summary: "1: keys that go with it too."),
            .text("tempo", "From and to in beats a minute, as 100-120; one number for exactly that."),
            Endpoint.Parameter(name: "minLength", schema: count, summary: "The shortest, in microseconds."),
            Endpoint.Parameter(name: "maxLength", schema: count, summary: "The longest, in microseconds."),
            .text("basedOn", "A piece that it is based on."),
        ]
    }

    private static func find(_ call: Call) async throws -> Response {
        let pieces = call.core.pieces
        let page = try await find(call, in: pieces)
        return try .json(
            PiecePage(
                pieces: try await pieces.told(page.pieces, base: call.base),
                offset: page.offset,
                total: page.total
            )
        )
    }

    /// The pieces that the parameters of a request ask for.
    static func find(
        _ call: Call,
        in pieces: PieceService,
        limit standard: Int = 20
    ) async throws(EarshotError) -> (pieces: [PieceRecord], offset: Int, total: Int) {
        var search = PieceSearch(
            offset: try call.number("offset", 0...1_000_000, default: 0),
            limit: try call.number("limit", 1...100, default: standard)
        )
        search.words = try call.text("q")
        if let name = try call.text("author") {
            if name == "me" {
                guard let author = try await pieces.reader(call.identity).author else {
                    throw EarshotError(
                        .accessDenied,
                        "author=me is for users with a name to publish under: ask with a user's token."
                    )
                }
                search.author = author.id
                search.visibilities = Set(Piece.Visibility.allCases)
            } else {
                // Nobody's identifier is empty.
                search.author = try await pieces.store.author(named: AuthorName.key(of: name))?.id ?? ""
            }
        }
        search.keys = try keys(call)
        search.tempo = try tempo(call)
        let lengths = 0...Int(PieceDraft.longest.count)
        let shortest = try call.number("minLength", lengths, default: 0)
        if shortest > 0 { search.shortest = Microseconds(Int64(shortest)) }
        if try call.text("maxLength") != nil {
            search.longest = Microseconds(Int64(try call.number("maxLength", lengths, default: 0)))
        }
        if let text = try call.text("basedOn") {
            guard let id = PieceID(text) else {
                throw EarshotError(.requestInvalid, "basedOn is no identifier of a piece: those are UUIDs.")
            }
            search.basedOn = id
        }
        let found = try await pieces.store.pieces(search)
        return (found.pieces, search.offset, found.total)
    }

    private static func keys(_ call: Call) throws(EarshotError) -> [Tonality]? {
        // Forms write a blank as a plus sign, which no key has.
        guard let text = try call.text("key")?.replacing("+", with: " ") else { return nil }
        let fault = EarshotError(
            .requestInvalid,
            "key is \"\(text.prefix(40))\": say a key such as A minor or Eb major, or mask:2741:9."
        )
        let key: Tonality
        if text.hasPrefix("mask:") {
            let numbers = text.dropFirst(5).split(separator: ":", omittingEmptySubsequences: false)
            guard numbers.count == 2, let mask = UInt16(numbers[0]), mask <= 0x0FFF, let root = Int(numbers[1]),
                let pitch = PitchClass(rawValue: root)
            else { throw fault }
            key = .tonal(ScaleMask(rawValue: mask), root: pitch)
        } else {
            guard let named = Tonality(name: text) else { throw fault }
            key = named
        }
        return try call.flag("compatible") ? key.compatible : [key]
    }

    private static func tempo(_ call: Call) throws(EarshotError) -> ClosedRange<Double>? {
        guard let text = try call.text("tempo") else { return nil }
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...2).contains(bounds.count), let first = bounds[0], let last = bounds[bounds.count - 1],
            first.isFinite, last.isFinite, first <= last
        else {
            throw EarshotError(
                .requestInvalid,
                "tempo is \"\(text.prefix(40))\": give two numbers of beats a minute, as 100-120."
            )
        }
        return first...last
    }
}

extension Endpoint.Answer {
    static var noPiece: Endpoint.Answer { .failure(404, "There is no such piece, or it may not be seen.") }
    static var gonePiece: Endpoint.Answer { .failure(410, "The piece was removed.") }
    static var foreignPiece: Endpoint.Answer { .failure(403, "The piece is somebody else's.") }
}
