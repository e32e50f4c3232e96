import Crypto
import EarshotAPI
import EarshotPieces
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("earshot serve with pieces")
struct PieceServiceTests {
    private struct Reply {
        let status: Int
        let data: Data

        func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try ServiceAPI.decoder().decode(type, from: data)
        }
    }

    private func ask(
        _ method: String,
        _ base: URL,
        _ path: String,
        token: String? = nil,
        json: (any Encodable)? = nil,
        body: Data? = nil
    ) async throws -> Reply {
        var request = URLRequest(url: try #require(URL(string: base.absoluteString + path)))
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let json {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try ServiceAPI.encoder().encode(json)
        } else if let body {
            request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            request.httpBody = body
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        return Reply(status: (response as? HTTPURLResponse)?.statusCode ?? 0, data: data)
    }

    private func admin(_ arguments: [String], _ data: URL) async throws -> Tool.Outcome {
        try await Workshop.earshot.run(["admin"] + arguments + ["--data", data.path])
    }

    /// Drops a piece for an app.
    private func drop(_ sound: Data, _ base: URL, client: String, attachment: Data? = nil) async throws -> PieceID {
        func token(_ user: String?) async throws -> String {
            let request = TokenRequest(client: client, user: user)
            return try await ask("POST", base, "/v1/tokens", json: request).decoded(TokenAnswer.self).token
        }
        let user = try await ask("POST", base, "/v1/users", token: try await token(nil)).decoded(UserRecord.self)
        let bearer = try await token(user.serialised)
        #expect(try await ask("PUT", base, "/v1/author", token: bearer, json: AuthorRecord(name: "Ada")).status == 200)
        func digest(_ bytes: Data) -> String {
            SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        var parts = [PartAnnouncement(kind: .stem, size: sound.count, sha256: digest(sound), format: .wave)]
        if let attachment {
            let sha256 = digest(attachment)
            parts.append(
                PartAnnouncement(kind: .attachment, size: attachment.count, sha256: sha256, fileName: "song.proj")
            )
        }
        let creation = PieceCreation(draft: DraftForm(title: "Tone", length: 2_000_000), parts: parts)
        let begun = try await ask("POST", base, "/v1/pieces", token: bearer, json: creation)
        #expect(begun.status == 201)
        let created = try begun.decoded(PieceCreated.self)
        for (upload, bytes) in zip(created.uploads, [sound] + (attachment.map { [$0] } ?? [])) {
            let sent = try await ask("PUT", base, "/v1/uploads/\(upload.id)", token: bearer, body: bytes)
            #expect(sent.status == 200)
        }
        let published = try await ask("POST", base, "/v1/pieces/\(created.id)/publish", token: bearer)
        #expect(published.status == 200)
        // Listening goes on in processes of their own.
        while try await !ask("GET", base, "/v1/pieces/\(created.id)/findings", token: bearer)
            .decoded(PieceFindings.self).isComplete
        {
            try await Task.sleep(for: .milliseconds(50))
        }
        return created.id
    }

    @Test("an attachment of more than a client sends is opened as it is", .requirements("R-PC-067", "R-PC-089"))
    func largeAttachment() async throws {
        try await withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            let service = try await RunningService(data: data)
            let added = try await admin(["app", "add", "earshot"], data)
            #expect(added.status == 0, "\(added.errors)")
            let client = try #require(added.output.split(whereSeparator: \.isWhitespace).last.map(String.init))
            let sound = Recordings.wave((0..<32_000).map { Float(sin(Double($0) * 0.2)) * 0.3 })
            let attachment = Data(repeating: 7, count: AttachmentBundle.maximumReceivedSize)
            let id = try await drop(sound, service.base, client: client, attachment: attachment)
            let opened = try await Workshop.earshot.run(
                [
                    "piece", "open", "piece-earshot://open?id=\(id)", "-o", folder.path, "--json", "--server",
                    service.base.absoluteString, "--client", client,
                ],
                environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "EARSHOT_USER": ""]
            )
            #expect(opened.status == 0, "\(opened.errors)")
            let place = URL(fileURLWithPath: try #require(try Document(opened.output)["folder"] as? String))
            let saved = try Data(contentsOf: place.appendingPathComponent("attachment/song.proj"))
            #expect(saved == attachment)
            #expect(await service.stop() == 0)
        }
    }

    @Test("pieces are converted in processes of their own, copied with a backup, and put back")
    func service() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "earshot pieces \(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (data, copy) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("copy"))
        let service = try await RunningService(data: data)
        let added = try await admin(["app", "add", "Sketcher", "--name", "The Sketcher"], data)
        #expect(added.status == 0 && added.output.contains("piece-sketcher"), "\(added.errors)")
        let client = try #require(added.output.split(whereSeparator: \.isWhitespace).last.map(String.init))
        let again = try await admin(["app", "add", "sketcher", "--site", "https://sketcher.example"], data)
        #expect(again.output.contains("The Sketcher") && !again.output.contains("client identifier"))
        #expect(try await admin(["app", "list"], data).output.contains("https://sketcher.example"))
        #expect(try await admin(["app", "add", "my app"], data).status == 1)
        #expect(try await admin(["app", "remove", "none"], data).status == 1)

        let sound = Recordings.wave((0..<32_000).map { Float(sin(Double($0) * 0.2)) * 0.3 })
        let id = try await drop(sound, service.base, client: client)
        for (format, wanted) in [("ogg", StemFormat.oggVorbis), ("m4a", .aacM4A), ("wave", .wave)] {
            let reply = try await ask("GET", service.base, "/v1/pieces/\(id)/audio?format=\(format)")
            #expect(reply.status == 200, "\(format): \(String(decoding: reply.data.prefix(200), as: UTF8.self))")
            #expect(StemFormat(beginOf: reply.data) == wanted)
        }
        #expect(try await admin(["backup", copy.path], data).status == 0)
        #expect(try await admin(["app", "remove", "sketcher"], data).status == 0)
        let gone = try await ask("DELETE", service.base, "/v1/pieces/\(id)", token: service.admin)
        #expect(gone.status == 204)
        #expect(await service.stop() == 0)

        #expect(try await admin(["restore", copy.path, "--yes"], data).status == 0)
        #expect(try await admin(["check"], data).status == 0)
        let other = try await RunningService(data: data)
        #expect(try await ask("GET", other.base, "/v1/pieces/\(id)/audio").data == sound)
        let apps = try await ask("GET", other.base, "/v1/applications").decoded([ApplicationRecord].self)
        #expect(apps.map(\.name) == ["The Sketcher"])
        #expect(await other.stop() == 0)
    }
}
