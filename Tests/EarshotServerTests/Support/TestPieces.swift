import Crypto
import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

/// Drops of pieces on the test service.
extension TestService {
    /// A part that is to be sent.
    struct Part: Sendable {
        var announcement: PartAnnouncement
        var data: Data

        init(
            _ kind: PartKind,
            _ data: Data,
            format: StemFormat? = nil,
            fileName: String? = nil,
            mediaType: String? = nil,
            name: String? = nil
        ) {
            self.data = data
            announcement = PartAnnouncement(
                kind: kind,
                name: name,
                size: data.count,
                sha256: SHA256.hash(data: data).hexadecimal,
                format: format,
                fileName: fileName,
                mediaType: mediaType
            )
        }

        /// A stem besides the mix, of the made-up music.
        static func stem(named name: String, _ seed: UInt64 = 1, seconds: Double = 2) -> Part {
            Part(.stem, stem(seed, seconds: seconds).data, format: .wave, name: name)
        }

        /// So many seconds of a piece of the made-up music.
        static func stem(_ seed: UInt64 = 1, from start: Double = 0, seconds: Double = 2) -> Part {
            Part(.stem, TestMusic.wave(TestMusic.samples(seed, from: start, duration: seconds)), format: .wave)
        }
    }

    /// A token of a new user who publishes under a name.
    func author(_ name: String, of client: ClientRecord? = nil) async throws -> String {
        var owner = client
        if owner == nil { owner = try await self.client() }
        let token = try await userToken(try #require(owner))
        let reply = try await ask(.PUT, "/v1/author", token: token, json: AuthorRecord(name: name))
        #expect(reply.status == 200)
        return token
    }

    func begin(
        _ draft: DraftForm,
        _ parts: [Part],
        description: String = "",
        visibility: Piece.Visibility = .listed,
        token: String
    ) async throws -> Reply {
        try await ask(
            .POST,
            "/v1/pieces",
            token: token,
            json: PieceCreation(
                draft: draft,
                description: description,
                visibility: visibility,
                parts: parts.map(\.announcement)
            )
        )
    }

    func begin(_ parts: [Part], token: String) async throws -> Reply {
        try await begin(DraftForm(title: "Morning Rail", length: 2_000_000), parts, token: token)
    }

    func send(_ data: Data, to upload: UploadState, range: String? = nil, token: String) async throws -> Reply {
        try await ask(
            .PUT,
            "/v1/uploads/\(upload.id)",
            token: token,
            type: "application/octet-stream",
            body: data,
            headers: range.map { [("Content-Range", $0)] } ?? []
        )
    }

    func publish(_ id: PieceID, token: String) async throws -> Reply {
        try await ask(.POST, "/v1/pieces/\(id)/publish", token: token)
    }

    /// Drops a piece, from its begin to its publication.
    func drop(
        _ draft: DraftForm = DraftForm(title: "Morning Rail", length: 2_000_000),
        _ parts: [Part] = [.stem()],
        description: String = "",
        visibility: Piece.Visibility = .listed,
        token: String
    ) async throws -> Piece {
        let reply = try await begin(draft, parts, description: description, visibility: visibility, token: token)
        #expect(reply.status == 201)
        let created = try reply.decoded(PieceCreated.self)
        for (part, upload) in zip(parts, created.uploads) {
            let state = try await send(part.data, to: upload, token: token)
            #expect(state.status == 200)
            #expect(try state.decoded(UploadState.self).isComplete)
        }
        let published = try await publish(created.id, token: token)
        #expect(published.status == 200)
        return try published.decoded(Piece.self)
    }

    /// What was heard in a piece, when it was listened to.
    func findings(of id: PieceID, token: String) async throws -> PieceFindings {
        while true {
            let reply = try await ask(.GET, "/v1/pieces/\(id)/findings", token: token)
            #expect(reply.status == 200)
            let findings = try reply.decoded(PieceFindings.self)
            if findings.isComplete { return findings }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The files of pieces, by their paths below the folder.
    var pieceFiles: [String] {
        let folder = self.folder.appendingPathComponent("pieces")
        return ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
