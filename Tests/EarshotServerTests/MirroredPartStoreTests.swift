import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Parts of pieces in an object store", .timeLimit(.minutes(5)))
struct MirroredPartStoreTests {
    @Test(
        "a published piece is in the store, is fetched when the folder has lost it, and leaves nothing when it is removed"
    )
    func cache() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let stem = TestService.Part.stem()
            let attachment = TestService.Part(.attachment, Data("notes".utf8), fileName: "a.txt")
            let piece = try await service.drop(
                DraftForm(title: "Kept", length: 2_000_000),
                [stem, attachment],
                token: token
            )
            #expect(store.count == 2)
            _ = try await service.findings(of: piece.id, token: token)
            try service.loseFiles(of: piece.id)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").bytes == stem.data)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/attachment").bytes == attachment.data)
            try service.loseFiles(of: piece.id)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio?format=ogg").status == 200)
            try await service.server.pieces.performMaintenance(at: service.time.now)
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            try await Self.wait { store.count == 0 }
        }
    }

    /// Waits for what is done in the background.
    private static func wait(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(20)) }
    }

    private func isTrimmed(_ piece: PieceID, _ service: TestService) async throws -> Bool {
        try await service.server.pieces.performMaintenance(at: service.time.now)
        return !service.pieceFiles.contains { $0.hasPrefix("\(piece)/") }
    }

    @Test("a store that comes later, or another one, gets all pieces before the folder gives any of them away")
    func laterStore() async throws {
        let store = MemoryPartStore()
        var settings = ServiceSettings()
        settings.pieceCache = 0
        try await TestService.run(settings, partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let stem = TestService.Part.stem()
            let piece = try await service.drop(token: token)
            _ = try await service.findings(of: piece.id, token: token)
            store.change { _ in nil }
            store.name = "another"
            store.isAway = true
            service.server.pieces.notKept.withLock { $0 = nil }
            for _ in 0..<3 { #expect(try await !isTrimmed(piece.id, service)) }
            store.isAway = false
            try await Self.wait { try await isTrimmed(piece.id, service) }
            #expect(store.count == 1)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").bytes == stem.data)
        }
    }

    @Test("what a store does not take, or does not let go, keeps nothing else from being kept in it")
    func stubbornStore() async throws {
        let store = MemoryPartStore()
        var settings = ServiceSettings()
        settings.pieceCache = 0
        try await TestService.run(settings, partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            var pieces: [PieceID] = []
            for _ in 0..<5 {
                let piece = try await service.drop(token: token)
                _ = try await service.findings(of: piece.id, token: token)
                pieces.append(piece.id)
            }
            store.name = "another"
            store.refuse(puts: pieces[..<2].map(\.description), removals: true)
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(pieces[4])", token: token).status == 204)
            service.server.pieces.notKept.withLock { $0 = nil }
            for piece in pieces[2..<4] { try await Self.wait { try await isTrimmed(piece, service) } }
            for piece in pieces[..<2] { #expect(try await !isTrimmed(piece, service)) }
            store.refuse(puts: [], removals: false)
            for piece in pieces[..<2] { try await Self.wait { try await isTrimmed(piece, service) } }
            try await Self.wait { store.count == 4 }
        }
    }

    @Test("a part that becomes complete while the piece is published is in the store before it is")
    func latePart() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let parts = [TestService.Part.stem(), TestService.Part(.attachment, Data("notes".utf8), fileName: "a.txt")]
            let created = try await service.begin(parts, token: token).decoded(PieceCreated.self)
            _ = try await service.send(parts[0].data, to: created.uploads[0], token: token)
            store.onKeep {
                _ = try? await service.send(parts[1].data, to: created.uploads[1], token: token)
            }
            #expect(try await service.publish(created.id, token: token).status == 200)
            #expect(store.count == 2)
            let record = try await service.server.pieces.store.piece(created.id)
            #expect(record?.parts.map(\.keptIn) == [store.name, store.name])
        }
    }

    @Test("a drop that is given up while it is published leaves nothing in the store")
    func givenUp() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let parts = [TestService.Part.stem(), TestService.Part(.attachment, Data("notes".utf8), fileName: "a.txt")]
            let created = try await service.begin(parts, token: token).decoded(PieceCreated.self)
            for (part, upload) in zip(parts, created.uploads) {
                _ = try await service.send(part.data, to: upload, token: token)
            }
            store.onKeep {
                _ = try? await service.ask(.DELETE, "/v1/pieces/\(created.id)", token: token)
                // What was discarded is looked at before the parts have come.
                try? await Task.sleep(for: .milliseconds(200))
            }
            #expect(try await service.publish(created.id, token: token).status >= 400)
            try await Self.wait {
                let left = try await service.server.pieces.store.discarded(at: .distantFuture, limit: 10)
                return left.isEmpty && store.count == 0
            }
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test("while the store cannot be reached a piece is removed at once, and from the store when it is back")
    func removalInOutage() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            _ = try await service.findings(of: piece.id, token: token)
            store.isAway = true
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            #expect(service.pieceFiles.isEmpty && store.count == 1)
            try await service.server.pieces.performMaintenance(at: service.time.now)
            store.isAway = false
            try await Self.wait {
                try await service.server.pieces.performMaintenance(at: service.time.now)
                return store.count == 0
            }
        }
    }

    @Test("of covers that come at the same time one stays, and no file of the others")
    func covers() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            _ = try await service.findings(of: piece.id, token: token)
            let path = "/v1/pieces/\(piece.id)/cover"
            let picture = try TestMusic.picture(640, 640)
            // A cover does not need what the folder has lost.
            try service.loseFiles(of: piece.id)
            #expect(try await service.ask(.PUT, path, token: token, type: "image/png", body: picture).status == 204)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await service.ask(.PUT, path, token: token, type: "image/png", body: picture).status
                    }
                }
                for try await status in group { #expect(status == 204) }
            }
            try await Self.wait { service.pieceFiles.count { $0.contains("/") } == 1 && store.count == 2 }
            #expect(try await service.ask(.GET, path).bytes == picture)
        }
    }

    @Test("parts that the store would not take are not announced to begin with")
    func tooLarge() async throws {
        let store = MemoryPartStore(largest: 1_000)
        let error = await #expect(throws: EarshotError.self) {
            try await TestService.run(partStore: store) { (_: TestService) in }
        }
        #expect(error?.code == .configurationInvalid)
    }

    @Test("a part that the store has lost or changed is refused, and not given out")
    func damage() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            _ = try await service.findings(of: piece.id, token: token)
            try service.loseFiles(of: piece.id)
            store.change { Data($0.reversed()) }
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").status >= 500)
            store.change { _ in nil }
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").status == 404)
        }
    }

    @Test("while the store cannot be reached nothing is published, and the drop can be finished later")
    func outage() async throws {
        let store = MemoryPartStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let stem = TestService.Part.stem()
            let created = try await service.begin([stem], token: token).decoded(PieceCreated.self)
            _ = try await service.send(stem.data, to: created.uploads[0], token: token)
            store.isAway = true
            #expect(try await service.publish(created.id, token: token).status >= 500)
            #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)").status == 404)
            store.isAway = false
            #expect(try await service.publish(created.id, token: token).status == 200)
            #expect(store.count == 1)
        }
    }

    @Test("the folder is kept small, and what was used longest ago goes first")
    func trimming() async throws {
        let store = MemoryPartStore()
        var settings = ServiceSettings()
        settings.pieceCache = 0
        try await TestService.run(settings, partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            _ = try await service.findings(of: piece.id, token: token)
            let draft = try await service.begin([.stem(2)], token: token).decoded(PieceCreated.self)
            _ = try await service.send(TestService.Part.stem(2).data, to: draft.uploads[0], token: token)
            try await Self.wait { try await isTrimmed(piece.id, service) }
            // What is nowhere else stays.
            #expect(service.pieceFiles.filter { $0.contains("/") }.count == 1)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").status == 200)
        }
    }

    @Test("requests are signed as the published example says")
    func signature() {
        // "Example: GET Object" of "Signature Calculations for the Authorization Header", Amazon S3 API Reference.
        let signature = AWSSignature(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "us-east-1"
        )
        let fields = signature.fields(
            "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/test.txt",
            fields: ["range": "bytes=0-9"],
            payload: AWSSignature.emptyDigest,
            at: Date(timeIntervalSince1970: 1_369_353_600)
        )
        #expect(
            fields["authorization"]?
                .hasSuffix("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true
        )
    }

    @Test("a bucket is named by an address, its keys are told by nothing, and what cannot be is refused")
    func bucket() throws {
        let settings = try S3Settings(
            address: "https://objects.example:9000/bucket/a/b",
            accessKey: "open",
            secretKey: "sesame"
        )
        #expect(settings.bucket == "bucket" && settings.prefix == "a/b/")
        #expect(settings.endpoint.absoluteString == "https://objects.example:9000")
        #expect(!"\(settings)".contains("sesame") && !String(reflecting: settings).contains("sesame"))
        // Clients do not send the port that is the scheme's own: signing it would fit no request.
        for (address, endpoint) in [
            ("https://host:443/b", "https://host"), ("http://host:80/b", "http://host"),
            ("http://host:443/b", "http://host:443"),
        ] {
            let settings = try S3Settings(address: address, accessKey: "a", secretKey: "b")
            #expect(settings.endpoint.absoluteString == endpoint)
        }
        for address in [
            "", "bucket", "ftp://host/bucket", "https://host", "https://host/", "https://host/b?x=1",
            "https://host/../b",
        ] {
            let error = #expect(throws: EarshotError.self) {
                try S3Settings(address: address, accessKey: "a", secretKey: "b")
            }
            #expect(error?.code == .configurationInvalid)
        }
        let error = #expect(throws: EarshotError.self) {
            try S3Settings(address: "https://host/bucket", accessKey: nil, secretKey: "b")
        }
        #expect(error?.message.contains("AWS_ACCESS_KEY_ID") == true)
    }
}

/// Parts in memory, which can be lost, changed and away.
private final class MemoryPartStore: PartStore {
    private struct State {
        var parts: [String: Data] = [:]
        var isAway = false
        var name = "memory"
        var onKeep: (@Sendable () async -> Void)?
        var refused: [String] = []
        var refusesRemovals = false
    }

    let largest: Int

    init(largest: Int = 1 << 40) {
        self.largest = largest
    }

    var name: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// Does something once, when the next part comes, before it is there.
    func onKeep(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onKeep = body } }

    /// Takes nothing whose key begins so, and lets nothing go.
    func refuse(puts: [String], removals: Bool) {
        state.withLock { ($0.refused, $0.refusesRemovals) = (puts, removals) }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.parts.count } }

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    func change(_ body: (Data) -> Data?) {
        state.withLock { $0.parts = $0.parts.compactMapValues(body) }
    }

    func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError) {
        try check()
        let isRefused = state.withLock { state in state.refused.contains { key.hasPrefix($0) } }
        if isRefused { throw EarshotError(.storeUnavailable, "The store does not take it.") }
        let data = FileManager.default.contents(atPath: file.path)
        let hook = state.withLock { state in
            defer { state.onKeep = nil }
            return state.onKeep
        }
        await hook?()
        state.withLock { $0.parts[key] = data }
    }

    func fetch(_ key: String, to file: URL) async throws(EarshotError) {
        try check()
        guard let data = state.withLock({ $0.parts[key] }) else {
            throw EarshotError(.entityNotFound, "There is no \(key).")
        }
        guard (try? data.write(to: file)) != nil else { throw EarshotError(.writeFailed, "No room.") }
    }

    func remove(_ key: String) async throws(EarshotError) {
        try check()
        if state.withLock({ $0.refusesRemovals }) {
            throw EarshotError(.storeUnavailable, "The store lets nothing go.")
        }
        state.withLock { _ = $0.parts.removeValue(forKey: key) }
    }

    func check() throws(EarshotError) {
        if isAway { throw EarshotError(.storeUnavailable, "The store is away.") }
    }
}

extension TestService {
    /// Takes away all files of a piece.
    fileprivate func loseFiles(of piece: PieceID) throws {
        try FileManager.default.removeItem(at: server.pieces.files.folder(of: piece))
    }
}
