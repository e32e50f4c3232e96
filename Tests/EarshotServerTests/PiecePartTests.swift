import AsyncHTTPClient
import EarshotAPI
import EarshotCore
import EarshotMedia
import EarshotPieces
import EarshotTags
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Parts of pieces")
struct PiecePartTests {
    private typealias Part = TestService.Part

    private func begin(_ service: TestService, _ parts: [Part], _ token: String) async throws -> PieceCreated {
        try await service.begin(parts, token: token).decoded(PieceCreated.self)
    }

    private func state(_ service: TestService, _ upload: UploadState, _ token: String) async throws -> UploadState {
        try await service.ask(.GET, "/v1/uploads/\(upload.id)", token: token).decoded(UploadState.self)
    }

    // MARK: - Going on

    @Test("a part goes on where it stopped")
    func resumption() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let part = Part.stem()
            let (data, size) = (part.data, part.data.count)
            let upload = try await begin(service, [part], token).uploads[0]
            #expect(upload.received == 0 && upload.size == size && !upload.isComplete)
            let half = size / 2
            let first = try await service.send(
                data.prefix(half),
                to: upload,
                range: "bytes 0-\(half - 1)/\(size)",
                token: token
            ).decoded(UploadState.self)
            #expect(first.received == half && !first.isComplete)
            #expect(try await state(service, upload, token) == first)
            // Another place than the next is a conflict, and nothing changes.
            for start in [0, half - 1, half + 1] {
                let reply = try await service.send(
                    data[start..<size],
                    to: upload,
                    range: "bytes \(start)-\(size - 1)/\(size)",
                    token: token
                )
                #expect(reply.status == 409 && reply.code == "requestInvalid")
            }
            #expect(try await state(service, upload, token) == first)
            let last = try await service.send(
                data[half...],
                to: upload,
                range: "bytes \(half)-\(size - 1)/\(size)",
                token: token
            )
            #expect(try last.decoded(UploadState.self).isComplete)
            // Said again after a lost answer.
            #expect(try await service.send(data, to: upload, token: token).status == 200)
            #expect(try await state(service, upload, token).isComplete)
        }
    }

    @Test("what arrived before a connection was lost is kept")
    func lostConnection() async throws {
        struct Lost: Error {}
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let part = Part.stem(seconds: 10)
            let upload = try await begin(service, [part], token).uploads[0]
            let half = part.data.count / 2
            var request = HTTPClientRequest(url: "\(service.base)/v1/uploads/\(upload.id)")
            request.method = .PUT
            request.headers.add(name: "Authorization", value: "Bearer \(token)")
            request.headers.add(name: "Content-Type", value: "application/octet-stream")
            let (blocks, input) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
            input.yield(ByteBuffer(bytes: part.data.prefix(half)))
            request.body = .stream(blocks, length: .known(Int64(part.data.count)))
            let sending = Task { [request] in try await HTTPClient.shared.execute(request, timeout: .seconds(60)) }
            while try await state(service, upload, token).received < half {
                try await Task.sleep(for: .milliseconds(10))
            }
            input.finish(throwing: Lost())
            _ = await sending.result
            #expect(try await state(service, upload, token).received == half)
            let reply = try await service.send(
                part.data[half...],
                to: upload,
                range: "bytes \(half)-\(part.data.count - 1)/\(part.data.count)",
                token: token
            )
            #expect(try reply.decoded(UploadState.self).isComplete)
        }
    }

    @Test("bytes that come after their drop was given up leave nothing", arguments: [false, true])
    func lateBytes(isWhole: Bool) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let part = Part.stem()
            let created = try await begin(service, [part], token)
            let pieces = service.server.pieces
            let stored = try #require(try await pieces.store.piece(created.id)?.parts.first)
            // The request was let in, and the drop is given up before its first byte is written.
            let receiver = PartReceiver(pieces: pieces, piece: created.id, part: stored)
            try await pieces.remove(created.id)
            let count = isWhole ? part.data.count : part.data.count / 2
            let body = RequestBody(buffer: ByteBuffer(bytes: part.data.prefix(count)))
            await #expect(throws: EarshotError.self) {
                try await receiver.take(
                    body,
                    range: "bytes 0-\(count - 1)/\(part.data.count)",
                    service.server.settings
                )
            }
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test("of two requests that send the same part the later one counts, and none while it is looked at")
    func turns() throws {
        let intake = UploadHandler()
        let first = try intake.take("a")
        #expect(throws: EarshotError.self) { try intake.take("a", isPolite: true) }
        let second = try intake.take("a")
        #expect(throws: EarshotError.self) { try intake.write(first) {} }
        try intake.write(second) {}
        #expect(!intake.finish(first))
        #expect(intake.finish(second))
        #expect(throws: EarshotError.self) { try intake.take("a") }
        _ = try intake.take("b")
        intake.leave("a", first)
        #expect(throws: EarshotError.self) { try intake.take("a") }
        intake.leave("a", second)
        _ = try intake.take("a", isPolite: true)
    }

    @Test("a part that was all there when the service ended is finished when somebody asks")
    func finishedLater() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let part = Part.stem()
            let created = try await begin(service, [part], token)
            let (files, upload) = (service.server.pieces.files, created.uploads[0])
            let kept = try #require(try await service.server.pieces.store.piece(created.id)?.part(.stem))
            try files.make(created.id)
            try part.data.write(to: files.incoming(kept, of: created.id))
            #expect(try await state(service, upload, token).isComplete)
            #expect(try await service.publish(created.id, token: token).status == 200)
        }
    }

    @Test("nothing that is said of a part has to be true for the service to live")
    func hostile() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.author("Ada", of: client)
            let other = try await service.author("Grace", of: client)
            let part = Part.stem()
            let size = part.data.count
            func upload(_ part: Part) async throws -> UploadState { try await begin(service, [part], token).uploads[0] }

            // Another digest: from the begin.
            var wrong = part
            wrong.announcement.sha256 = String(repeating: "0", count: 64)
            let digest = try await upload(wrong)
            let reply = try await service.send(wrong.data, to: digest, token: token)
            #expect(reply.status == 422 && reply.code == "uploadFailed")
            #expect(try await state(service, digest, token).received == 0)

            // More than was announced, by the header or in fact.
            var short = part
            short.announcement.size = size - 10
            let more = try await upload(short)
            #expect(try await service.send(part.data, to: more, token: token).status == 413)
            #expect(try await state(service, more, token).received == 0)
            for range in [
                "bytes 0-\(size - 1)/\(size)", "bytes 5-2/\(size - 10)", "bytes 0-1", "bytes */\(size - 10)", "x",
                "bytes 0-99999999999999999999/\(size - 10)", "bytes -5--1/\(size - 10)",
            ] {
                let reply = try await service.send(part.data, to: more, range: range, token: token)
                #expect(reply.status == 400, "\(range)")
            }
            let lying = try await service.send(
                part.data.prefix(100),
                to: more,
                range: "bytes 0-9/\(size - 10)",
                token: token
            )
            #expect(lying.status == 413)
            #expect(try await state(service, more, token).received == 0)

            // Another format than was announced.
            for data in [Data("This is text and no sound at all.".utf8), Data([0]), Data("RIFF____WAVX".utf8)] {
                let text = Part(.stem, data, format: .wave)
                #expect(try await service.send(data, to: try await upload(text), token: token).code == "pieceInvalid")
            }
            let cover = Part(.cover, try TestMusic.picture(639, 640))
            #expect(
                try await service.send(cover.data, to: try await upload(cover), token: token).code
                    == "coverSizeInvalid"
            )

            // Somebody else's.
            let mine = try await upload(part)
            #expect(try await service.send(part.data, to: mine, token: other).status == 404)
            #expect(try await service.ask(.GET, "/v1/uploads/\(mine.id)", token: other).status == 404)
            #expect(try await service.ask(.GET, "/v1/uploads/\(mine.id)", token: service.admin).status == 403)
        }
    }

    @Test("what cannot be announced is refused at once")
    func announcements() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            func refused(_ change: (inout PartAnnouncement) -> Void, _ status: Int, _ code: String) async throws {
                var part = Part(.attachment, Data("abc".utf8), fileName: "a.xyz")
                change(&part.announcement)
                let reply = try await service.begin([part], token: token)
                #expect(reply.status == status && reply.code == code)
            }
            for name in ["../a", "a/b", "a\\b", "..", ".", "", "a\0b", "a\nb", String(repeating: "a", count: 256)] {
                try await refused({ $0.fileName = name }, 422, "pieceInvalid")
            }
            try await refused({ $0.fileName = nil }, 422, "pieceInvalid")
            for type in ["text", "a/b/c", "text/html\r\nX: y", "", "a b/c"] {
                try await refused({ $0.mediaType = type }, 422, "pieceInvalid")
            }
            for digest in ["", "x", String(repeating: "A", count: 64), String(repeating: "g", count: 64)] {
                try await refused({ $0.sha256 = digest }, 422, "pieceInvalid")
            }
            try await refused({ $0.size = -1 }, 422, "pieceInvalid")
            try await refused({ ($0.kind, $0.size, $0.format) = (.stem, 0, .wave) }, 422, "pieceInvalid")
            try await refused({ ($0.kind, $0.format) = (.stem, nil) }, 422, "pieceInvalid")
            try await refused({ ($0.kind, $0.size, $0.format) = (.stem, 600 << 20, .wave) }, 413, "uploadTooLarge")
            try await refused({ ($0.kind, $0.size) = (.cover, 600 << 20) }, 413, "uploadTooLarge")
            try await refused({ $0.size = .max }, 413, "attachmentTooLarge")
            let twice = [Part.stem(), Part.stem()]
            #expect(try await service.begin(twice, token: token).code == "pieceInvalid")
        }
    }

    @Test("an attachment may have 31,457,280 bytes and no more", .requirements("R-PC-067"))
    func attachmentLimit() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let data = Data(repeating: 7, count: 31_457_280)
            let piece = try await service.drop(
                DraftForm(title: "A", length: 2_000_000),
                [.stem(), Part(.attachment, data, fileName: "project.xyz")],
                token: token
            )
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/attachment").bytes == data)
            let large = Part(.attachment, data + [7], fileName: "project.xyz")
            let reply = try await service.begin([large], token: token)
            #expect(reply.status == 413 && reply.code == "attachmentTooLarge")
        }
    }

    // MARK: - Coming back

    @Test("an attachment comes back byte for byte with its name", .requirements("R-PC-089"))
    func attachment() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let data = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let piece = try await service.drop(
                DraftForm(title: "A", length: 2_000_000),
                [.stem(), Part(.attachment, data, fileName: "Pröject \"1\".xyz", mediaType: "text/html")],
                token: token
            )
            #expect(piece.attachmentName == "Pröject \"1\".xyz")
            let reply = try await service.ask(.GET, "/v1/pieces/\(piece.id)/attachment")
            #expect(reply.bytes == data)
            #expect(reply.headers.first(name: "Content-Type") == "text/html")
            #expect(reply.headers.first(name: "X-Content-Type-Options") == "nosniff")
            #expect(
                reply.headers.first(name: "Content-Disposition")
                    == "attachment; filename=\"Pr_ject _1_.xyz\"; filename*=UTF-8''Pr%C3%B6ject%20%221%22.xyz"
            )
        }
    }

    @Test("without a preview of its own a piece plays its stem", .requirements("R-PC-060"))
    func preview() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let (stem, sound) = (Part.stem(), Part(.preview, Part.stem(2).data, format: .wave))
            let form = DraftForm(title: "A", length: 2_000_000)
            let without = try await service.drop(form, [stem], token: token)
            #expect(try await service.ask(.GET, "/v1/pieces/\(without.id)/audio?kind=preview").bytes == stem.data)
            let with = try await service.drop(form, [stem, sound], token: token)
            #expect(with.hasPreview && !without.hasPreview)
            #expect(try await service.ask(.GET, "/v1/pieces/\(with.id)/audio?kind=preview").bytes == sound.data)
            #expect(try await service.ask(.GET, "/v1/pieces/\(with.id)/audio").bytes == stem.data)
        }
    }

    @Test("sound comes with its digest, in parts, and not twice")
    func ranges() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let stem = Part.stem()
            let path = "/v1/pieces/\(try await service.drop(token: token).id)/audio"
            let whole = try await service.ask(.GET, path)
            #expect(whole.bytes == stem.data)
            let tag = try #require(whole.headers.first(name: "ETag"))
            #expect(tag == "\"\(stem.announcement.sha256)\"")
            let digest = try #require(whole.headers.first(name: "Repr-Digest"))
            let base64 = try #require(digest.wholeMatch(of: /sha-256=:(.*):/)?.output.1)
            #expect(try #require(Data(base64Encoded: String(base64))).hexadecimal == stem.announcement.sha256)
            let part = try await service.ask(.GET, path, headers: [("Range", "bytes=100-199"), ("If-Range", tag)])
            #expect(part.status == 206 && part.bytes == stem.data[100..<200])
            #expect(part.headers.first(name: "Repr-Digest") == digest)
            #expect(try await service.ask(.GET, path, headers: [("If-None-Match", tag)]).status == 304)
            #expect(try await service.ask(.GET, path, headers: [("Range", "bytes=99999999-")]).status == 416)
        }
    }

    @Test("a cover is changed and removed", .requirements("R-PC-062"))
    func covers() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let first = try TestMusic.picture(640, 640)
            let piece = try await service.drop(
                DraftForm(title: "A", length: 2_000_000),
                [.stem(), Part(.cover, first)],
                token: token
            )
            let path = "/v1/pieces/\(piece.id)/cover"
            let reply = try await service.ask(.GET, path)
            #expect(reply.bytes == first && reply.headers.first(name: "Content-Type") == "image/png")
            let bytes = [UInt8](repeating: 9, count: 640 * 640 * 3)
            let second = Data(try RasterImage(width: 640, height: 640, pixelFormat: .rgb8, bytes: bytes).pngData())
            #expect(try await service.ask(.PUT, path, token: token, type: "image/png", body: second).status == 204)
            #expect(try await service.ask(.GET, path).bytes == second)
            let small = try TestMusic.picture(640, 639)
            let refused = try await service.ask(.PUT, path, token: token, type: "image/png", body: small)
            #expect(refused.status == 422 && refused.code == "coverSizeInvalid")
            #expect(service.pieceFiles.count == 3)
            #expect(try await service.ask(.DELETE, path, token: token).status == 204)
            #expect(try await service.ask(.GET, path).status == 404)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)").decoded(Piece.self).hasCover == false)
            #expect(service.pieceFiles.count == 2)
        }
    }

    @Test(
        "each format decodes to the length of what was dropped, and is made once",
        arguments: ["wave", "ogg", "m4a"],
        ["wave", "ogg", "m4a"]
    )
    func formats(dropped: String, wanted: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let wave = try await service.drop(
                DraftForm(title: "A", length: 3_210_000),
                [.stem(seconds: 3.21)],
                token: token
            )
            let format = try #require(StemFormat(fileExtension: dropped == "wave" ? "wav" : dropped))
            let first = try await service.ask(.GET, "/v1/pieces/\(wave.id)/audio?format=\(dropped)")
            #expect(StemFormat(beginOf: first.bytes) == format)
            let piece = try await service.drop(
                DraftForm(title: "B", length: 3_210_000),
                [Part(.stem, first.bytes, format: format)],
                token: token
            )
            let reply = try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio?format=\(wanted)")
            #expect(reply.status == 200)
            let file = service.folder.appendingPathComponent("answer")
            try reply.bytes.write(to: file)
            let handle = try FileHandle(forReadingFrom: file)
            let length = try await InProcessStemConverter().facts(reading: handle, loop: nil).length
            #expect(abs(length.seconds - 3.21) <= 0.05)
            let count = service.pieceFiles.count
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio?format=\(wanted)").bytes == reply.bytes)
            #expect(service.pieceFiles.count == count)
        }
    }

    @Test(
        "sound that is converted says its title, its maker, its tempo and its key",
        arguments: [("ogg", "92.5"), ("m4a", "93"), ("wave", "")]
    )
    func tags(format: String, tempo: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let dropped: StemFormat = format == "wave" ? .oggVorbis : .wave
            let wave = Part.stem(seconds: 2)
            let first = try await service.drop(DraftForm(title: "A", length: 2_000_000), [wave], token: token)
            let sound = try await service.ask(.GET, "/v1/pieces/\(first.id)/audio?format=\(dropped.rawValue)").bytes
            let form = DraftForm(
                title: "Nächte – ♯1",
                length: 2_000_000,
                tempo: FixedTempo(92.5),
                tonality: .minor(.fSharp)
            )
            let piece = try await service.drop(form, [Part(.stem, sound, format: dropped)], token: token)
            let reply = try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio?format=\(format)")
            #expect(reply.status == 200)
            let file = service.folder.appendingPathComponent("answer.\(format == "wave" ? "wav" : format)")
            try reply.bytes.write(to: file)
            let tags = try await TagFile.load(file).properties
            guard format != "wave" else {
                // What opens WAVE is not always ready for more than sound.
                #expect(tags["TITLE"] == nil && tags["BPM"] == nil)
                return
            }
            #expect(tags["TITLE"] == ["Nächte – ♯1"] && tags["ARTIST"] == ["Ada"])
            #expect(tags["BPM"] == [tempo] && tags["INITIALKEY"] == ["F#m"])
        }
    }

    @Test("without an encoder a format is refused, and wave is there", .requirements("R-PC-094"))
    func noEncoder() async throws {
        try await TestService.run(converter: InProcessStemConverter(formats: [])) {
            (service: TestService) async throws in
            let token = try await service.author("Ada")
            let path = "/v1/pieces/\(try await service.drop(token: token).id)/audio"
            for format in ["ogg", "m4a"] {
                let reply = try await service.ask(.GET, "\(path)?format=\(format)")
                #expect(reply.status == 422 && reply.code == "formatUnavailable")
            }
            #expect(try await service.ask(.GET, "\(path)?format=wave").status == 200)
        }
    }

    @Test("what cannot be converted is not tried again at once")
    func failures() async throws {
        // The length is heard twice at most before.
        let converter = FailingConverter(.timedOut, 1_000)
        try await TestService.run(converter: converter) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let path = "/v1/pieces/\(try await service.drop(token: token).id)/audio?format=ogg"
            for _ in 0..<3 { #expect(try await service.ask(.GET, path).status >= 400) }
            #expect(converter.conversions == 1)
            service.time.advance(3_601)
            #expect(try await service.ask(.GET, path).status >= 400)
            #expect(converter.conversions == 2)
        }
    }

    @Test("what was made of a part goes when there is too much of it, and the part stays")
    func conversionsTrimmed() async throws {
        var settings = ServiceSettings()
        settings.pieceCache = 0
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            let path = "/v1/pieces/\(piece.id)/audio"
            let first = try await service.ask(.GET, "\(path)?format=ogg")
            #expect(first.status == 200 && service.pieceFiles.count { $0.hasSuffix(".ogg") } == 1)
            try await service.server.pieces.performMaintenance(at: service.time.now)
            #expect(service.pieceFiles.count { $0.contains("/") } == 1)
            #expect(try await service.ask(.GET, path).bytes == TestService.Part.stem().data)
            #expect(try await service.ask(.GET, "\(path)?format=ogg").status == 200)
        }
    }

    @Test("sound that is damaged behind its begin is dropped, played as it is, and not converted")
    func damaged() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let data = Data("OggS".utf8) + Data(count: 22) + [0] + Data("\u{1}vorbis".utf8) + Data(count: 200)
            let piece = try await service.drop(
                DraftForm(title: "A", length: 2_000_000),
                [Part(.stem, data, format: .oggVorbis)],
                token: token
            )
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").bytes == data)
            let reply = try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio?format=wave")
            #expect(reply.status == 422)
            #expect(!String(decoding: reply.bytes, as: UTF8.self).contains(service.folder.lastPathComponent))
            #expect(try await service.findings(of: piece.id, token: token).contains.isEmpty)
        }
    }
}
