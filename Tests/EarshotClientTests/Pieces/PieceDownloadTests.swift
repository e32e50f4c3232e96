import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Fetching the parts of pieces")
struct PieceDownloadTests {
    private static let sound = PieceSamples.sound(.wave, 100_000)

    /// A service with one piece, and a client.
    private func with(
        account: PieceAccount? = nil,
        _ body: (PieceServiceDouble, PieceClient, PieceID) async throws -> Void
    ) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service, account: account)
            let piece = service.publish(
                try PieceSamples.draft(),
                parts: [
                    PieceSamples.announcement(.stem, Self.sound, .wave),
                    PieceSamples.announcement(.cover, PieceSamples.cover()),
                    PieceSamples.announcement(.attachment, Data("a song".utf8)),
                ]
            )
            try await body(service, client, piece.id)
        }
    }

    private func code(_ work: () async throws -> Void) async -> EarshotError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? EarshotError)?.code
        }
    }

    @Test("Sound comes in the format that is asked for", .requirements("R-PC-087"))
    func formats() async throws {
        try await with { service, client, id in
            for format in StemFormat.allCases {
                let sound = try await client.audio(of: id, format: format)
                #expect(StemFormat(beginOf: sound) == format)
            }
            #expect(service.exchanges(.audio).map { $0.query["format"] } == ["wave", "ogg", "m4a"])
            // As it was dropped; and the stem where there is no preview.
            #expect(try await client.audio(of: id) == Self.sound)
            #expect(try await client.audio(of: id, kind: .preview) == Self.sound)
            service.state.withLock { $0.missingFormats = [.aacM4A] }
            #expect(await code { _ = try await client.audio(of: id, format: .aacM4A) } == .formatUnavailable)
            #expect(try await client.audio(of: id, format: .wave) == Self.sound)
        }
    }

    @Test("What goes wrong has its code", .requirements("R-PC-088", "R-PC-093", "R-PC-084"))
    func failures() async throws {
        try await with { service, client, id in
            func fails(_ fault: PieceServiceDouble.Fault) async -> EarshotError.Code? {
                service.fail(.audio, fault)
                return await code { _ = try await client.audio(of: id) }
            }
            #expect(await fails(.answer(status: 500, body: Data("no".utf8))) == .downloadFailed)
            for place in [0, 50_000, 99_999] { #expect(await fails(.wrongByte(at: place)) == .downloadFailed) }
            #expect(await fails(.answer(status: 404, body: Data())) == .pieceNotFound)
            #expect(await fails(.answer(status: 410, body: Data())) == .pieceNotFound)
            // What cannot be checked is not taken.
            #expect(await fails(.answer(status: 200, body: Self.sound)) == .downloadFailed)
            let digest = PieceServiceDouble.digest(Self.sound).base64EncodedString()
            for text in ["sha-256=:AAAA:", "sha-256=\(digest)", "md5=:\(digest):", "sha-256=:"] {
                #expect(
                    await fails(.answer(status: 200, body: Self.sound, headers: [("repr-digest", text)]))
                        == .downloadFailed,
                    "\(text)"
                )
            }
            let several = [("repr-digest", "sha-512=:AAAA:, sha-256=:\(digest):;x=1")]
            #expect(await fails(.answer(status: 200, body: Self.sound, headers: several)) == nil)
            service.remove(id)
            #expect(await code { _ = try await client.audio(of: id) } == .pieceNotFound)
            service.failAlways(.audio, .ignored)
            #expect(await code { _ = try await client.audio(of: id) } == .networkUnavailable)
            #expect(await code { _ = try await client.cover(of: PieceID()) } == .pieceNotFound)
        }
    }

    @Test("A download that breaks off goes on where it was", .requirements("R-PC-088"))
    func resumes() async throws {
        try await with { service, client, id in
            service.fail(.audio, .stallAnswer(after: 30_000), .stallAnswer(after: 20_000))
            let told = Mutex<[Int]>([])
            let sound = try await client.audio(of: id) { count, total in
                #expect(total == 100_000)
                let isNew = told.withLock { told in
                    told.append(count)
                    return told.count { $0 == count } == 1
                }
                // The connection breaks when everything that was sent has arrived.
                if isNew, count == 30_000 || count == 50_000 { service.release() }
            }
            #expect(sound == Self.sound)
            #expect(service.exchanges(.audio).map { $0.headers["range"] } == [nil, "bytes=30000-", "bytes=50000-"])
            #expect(service.exchanges(.audio).last?.headers["if-range"]?.count == 66)
            let counts = told.withLock { $0 }
            #expect(counts.first == 0 && counts.last == 100_000 && counts == counts.sorted())
            // A service without ranges is let to send everything again.
            service.fail(.audio, .cutAnswer(after: 30_000), .wholeAnswer)
            #expect(try await client.audio(of: id) == Self.sound)
        }
    }

    @Test("Sound that has changed meanwhile is fetched from its begin")
    func changed() async throws {
        try await with { service, client, id in
            let other = PieceSamples.sound(.wave, 60_000)
            service.fail(.audio, .cutAnswer(after: 30_000), .held)
            let task = Task { try await client.audio(of: id) }
            await service.waitForHeld()
            service.state.withLock { state in
                for (name, upload) in state.uploads where upload.part.kind == .stem {
                    state.uploads[name]?.bytes = other
                }
            }
            service.release()
            let sound = try await task.value
            #expect(sound == other)
        }
    }

    @Test("A file appears when all of it is there, and goes on after it was canceled", .requirements("R-PC-093"))
    func files() async throws {
        try await with { service, client, id in
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("stem.wav")
                func names() throws -> [String] {
                    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                }
                service.fail(.audio, .stallAnswer(after: 40_000))
                let (arrivals, arrived) = AsyncStream<Int>.makeStream()
                let task = Task { try await client.audio(of: id, to: file) { count, _ in arrived.yield(count) } }
                for await count in arrivals where count == 40_000 { break }
                task.cancel()
                #expect(await code { try await task.value } == .cancelled)
                #expect(try names().count == 1 && !FileManager.default.fileExists(atPath: file.path))
                service.release()
                let before = service.exchanges(.audio).count
                try await client.audio(of: id, to: file)
                #expect(try Data(contentsOf: file) == Self.sound)
                #expect(try names() == ["stem.wav"])
                let ranges = service.exchanges(.audio).dropFirst(before).map { $0.headers["range"] }
                #expect(ranges == [nil, "bytes=40000-"])
                // Damaged bytes neither replace what is there nor stay.
                service.fail(.audio, .wrongByte(at: 7))
                #expect(await code { try await client.audio(of: id, to: file) } == .downloadFailed)
                #expect(try Data(contentsOf: file) == Self.sound)
                #expect(try names() == ["stem.wav"])
                try await client.attachment(of: id, to: folder.appendingPathComponent("song.xyz"))
                #expect(try Data(contentsOf: folder.appendingPathComponent("song.xyz")) == Data("a song".utf8))
                let nowhere = folder.appendingPathComponent("none/stem.wav")
                #expect(await code { try await client.audio(of: id, to: nowhere) } == .writeFailed)
            }
        }
    }

    @Test("Nothing is fetched from elsewhere, and not more than fits", .requirements("R-PC-009"))
    func elsewhere() async throws {
        try await PieceServiceDouble.with { other in
            try await with(account: PieceAccount(user: "user-1", author: "Ada")) { service, client, id in
                for spot in [.audio, .fetch, .create, .cover] as [PieceServiceDouble.Spot] {
                    service.fail(
                        spot,
                        .answer(
                            status: 302,
                            body: Data(),
                            headers: [("location", "\(other.url)/v1/pieces/\(id)/audio")]
                        )
                    )
                }
                #expect(await code { _ = try await client.audio(of: id) } == .downloadFailed)
                #expect(await code { _ = try await client.cover(of: id) } == .downloadFailed)
                #expect(await code { _ = try await client.fetch(id) } == .serviceFailure)
                let draft = try PieceSamples.draft()
                #expect(await code { _ = try await client.drop(draft, TestProviders()) } == .serviceFailure)
                #expect(other.exchanges.isEmpty)
                let small = try await PieceSamples.client(service) { $0.memoryLimit = 99_999 }
                #expect(await code { _ = try await small.audio(of: id) } == .downloadFailed)
            }
        }
    }
}
