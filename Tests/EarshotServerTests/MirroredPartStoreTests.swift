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
        let store = TestObjectStore()
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
        let store = TestObjectStore()
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
        let store = TestObjectStore()
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

    @Test(
        "a part that becomes complete while the piece is published is in the store before it is, and so is one of before the store"
    )
    func latePart() async throws {
        let store = TestObjectStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let parts = [TestService.Part.stem(), TestService.Part(.attachment, Data("notes".utf8), fileName: "a.txt")]
            let created = try await service.begin(parts, token: token).decoded(PieceCreated.self)
            _ = try await service.send(parts[0].data, to: created.uploads[0], token: token)
            // As if it had come before there was a store.
            _ = try await service.server.pieces.store.update(created.id) { $0.parts[0].keptIn = nil }
            store.change { _ in nil }
            store.onKeep {
                _ = try? await service.send(parts[1].data, to: created.uploads[1], token: token)
            }
            #expect(try await service.publish(created.id, token: token).status == 200)
            #expect(store.count == 2)
            let record = try await service.server.pieces.store.piece(created.id)
            #expect(record?.parts.map(\.keptIn) == [store.name, store.name])
        }
    }

    @Test("a drop that is given up while a part of it comes into the store leaves nothing there")
    func givenUp() async throws {
        let store = TestObjectStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let parts = [TestService.Part.stem(), TestService.Part(.attachment, Data("notes".utf8), fileName: "a.txt")]
            let created = try await service.begin(parts, token: token).decoded(PieceCreated.self)
            _ = try await service.send(parts[0].data, to: created.uploads[0], token: token)
            store.onKeep {
                _ = try? await service.ask(.DELETE, "/v1/pieces/\(created.id)", token: token)
                // What was discarded is looked at before the parts have come.
                try? await Task.sleep(for: .milliseconds(200))
            }
            #expect(try await service.send(parts[1].data, to: created.uploads[1], token: token).status == 404)
            try await Self.wait {
                let left = try await service.server.pieces.store.discarded(at: .distantFuture, limit: 10)
                return left.isEmpty && store.count == 0
            }
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test("while the store cannot be reached a piece is removed at once, and from the store when it is back")
    func removalInOutage() async throws {
        let store = TestObjectStore()
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
        let store = TestObjectStore()
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
        let store = TestObjectStore(largest: 1_000)
        let error = await #expect(throws: EarshotError.self) {
            try await TestService.run(partStore: store) { (_: TestService) in }
        }
        #expect(error?.code == .configurationInvalid)
    }

    @Test("a part that the store has lost or changed is refused, and not given out")
    func damage() async throws {
        let store = TestObjectStore()
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

    @Test(
        "while the store cannot be reached no part is complete and nothing is published, and the drop can be finished later"
    )
    func outage() async throws {
        let store = TestObjectStore()
        try await TestService.run(partStore: store) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let stem = TestService.Part.stem()
            let created = try await service.begin([stem], token: token).decoded(PieceCreated.self)
            store.isAway = true
            let upload = "/v1/uploads/\(created.uploads[0].id)"
            #expect(try await service.send(stem.data, to: created.uploads[0], token: token).status == 503)
            #expect(try await service.ask(.GET, upload, token: token).status == 503)
            #expect(try await service.publish(created.id, token: token).status == 409)
            #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)").status == 404)
            store.isAway = false
            // Nothing is sent again.
            let state = try await service.ask(.GET, upload, token: token).decoded(UploadState.self)
            #expect(state.isComplete && state.received == stem.data.count)
            #expect(try await service.publish(created.id, token: token).status == 200)
            #expect(store.count == 1)
        }
    }

    @Test("the folder is kept small, and what was used longest ago goes first")
    func trimming() async throws {
        let store = TestObjectStore()
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
}

extension TestService {
    /// Takes away all files of a piece.
    fileprivate func loseFiles(of piece: PieceID) throws {
        try FileManager.default.removeItem(at: server.pieces.files.folder(of: piece))
    }
}
