import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotPieces
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Pieces of several nodes", .timeLimit(.minutes(5)))
struct PieceNodeTests {
    /// Waits for what is done in the background.
    private func wait(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(20)) }
    }

    private func own(_ service: TestService) -> [String] {
        service.server.pieces.catalog?.catalog.referenceIDs.map(\.rawValue) ?? []
    }

    private func draft(_ title: String, id: PieceID? = nil, seconds: Int64 = 20) -> DraftForm {
        DraftForm(title: title, length: Microseconds(seconds * 1_000_000), id: id)
    }

    @Test("a part that was sent to one node is published through the other, and read from both")
    func publishing() async throws {
        try await TestNodes.run { nodes in
            let (first, second) = (nodes.first, nodes.second)
            let token = try await second.author("Ada")
            let stem = TestService.Part.stem()
            let created = try await first.begin([stem], token: token).decoded(PieceCreated.self)
            _ = try await first.send(stem.data, to: created.uploads[0], token: token)
            #expect(nodes.objects.count == 1)
            #expect(second.pieceFiles.isEmpty)
            #expect(try await second.ask(.GET, "/v1/pieces/\(created.id)/heard", token: token).status == 200)
            #expect(try await second.publish(created.id, token: token).status == 200)
            for service in [first, second] {
                #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)/audio").bytes == stem.data)
                #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)/audio?format=ogg").status == 200)
            }
            _ = try await first.findings(of: created.id, token: token)
            #expect(try await first.ask(.DELETE, "/v1/pieces/\(created.id)", token: token).status == 204)
            try await wait { nodes.objects.count == 0 }
            #expect(try await second.ask(.GET, "/v1/pieces/\(created.id)/audio").status == 410)
            for service in [first, second] {
                try await service.server.pieces.performMaintenance(at: service.time.now)
            }
            #expect(first.pieceFiles.isEmpty && second.pieceFiles.isEmpty)
        }
    }

    @Test("an upload that one node has begun begins again at the other, which then has all of it")
    func uploading() async throws {
        try await TestNodes.run { nodes in
            let (first, second) = (nodes.first, nodes.second)
            let token = try await second.author("Ada")
            let stem = TestService.Part.stem()
            let created = try await first.begin([stem], token: token).decoded(PieceCreated.self)
            let (upload, size) = (created.uploads[0], stem.data.count)
            let half = try await first.send(
                stem.data.prefix(1_000),
                to: upload,
                range: "bytes 0-999/\(size)",
                token: token
            )
            #expect(try half.decoded(UploadState.self).received == 1_000)
            let state = try await second.ask(.GET, "/v1/uploads/\(upload.id)", token: token)
            #expect(try state.decoded(UploadState.self).received == 0)
            let rest = try await second.send(
                stem.data.dropFirst(1_000),
                to: upload,
                range: "bytes 1000-\(size - 1)/\(size)",
                token: token
            )
            #expect(rest.status == 409)
            #expect(try await second.send(stem.data, to: upload, token: token).status == 200)
            // The first one knows by the store.
            let known = try await first.ask(.GET, "/v1/uploads/\(upload.id)", token: token)
            #expect(try known.decoded(UploadState.self).isComplete)
            #expect(try await first.publish(created.id, token: token).status == 200)
            #expect(try await first.ask(.GET, "/v1/pieces/\(created.id)/audio").bytes == stem.data)
        }
    }

    @Test("a piece is heard by one node, and recognized by both until it is removed")
    func hearing() async throws {
        let converter = WaitingConverter()
        try await TestNodes.run(converter: converter) { nodes in
            let (first, second) = (nodes.first, nodes.second)
            let token = try await second.author("Ada")
            let parts = [TestService.Part.stem(779, seconds: 20)]
            let piece = try await first.drop(draft("Own"), parts, token: token)
            let lease = PieceAnalysisJob.lease(of: piece.id)
            try await wait { converter.asked == 1 }
            // Both want it now.
            try await wait {
                first.server.pieces.listen()
                second.server.pieces.listen()
                return nodes.leases.refusals(of: lease) > 0
            }
            converter.open()
            _ = try await second.findings(of: piece.id, token: token)
            try await wait {
                second.server.pieces.listen()
                first.server.pieces.listen()
                return own(first) == [piece.id.description] && own(second) == [piece.id.description]
            }
            #expect(converter.asked == 1)
            // A node that lacks it does not have it heard again.
            try second.server.pieces.catalog?.remove([piece.id.reference])
            try await second.server.pieces.begin()
            #expect(try await nodes.pieces.findings(of: piece.id) != nil)
            try await wait { own(second) == [piece.id.description] }
            #expect(converter.asked == 1)
            #expect(try await first.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            try await wait {
                second.server.pieces.listen()
                return own(first).isEmpty && own(second).isEmpty
            }
        }
    }

    @Test("of two pieces that two nodes hear, the second finds the first")
    func quoting() async throws {
        try await TestNodes.run { nodes in
            let (first, second) = (nodes.first, nodes.second)
            let token = try await second.author("Ada")
            let own = try await first.drop(draft("Own"), [.stem(777, seconds: 20)], token: token)
            _ = try await first.findings(of: own.id, token: token)
            let quoting = try await second.drop(
                draft("Quoting", seconds: 12),
                [.stem(777, from: 3, seconds: 12)],
                token: token
            )
            let heard = try await second.findings(of: quoting.id, token: token).contains
            #expect(heard.map(\.id) == [own.id.description])
        }
    }

    @Test(
        "a piece that a dead node was listening to, or was concluding, is heard once its lease has ended",
        arguments: [true, false]
    )
    func deadListener(isConcluding: Bool) async throws {
        try await TestNodes.run { nodes in
            let token = try await nodes.second.author("Ada")
            let id = PieceID()
            let lease = isConcluding ? PieceAnalysisJob.conclusionLease : PieceAnalysisJob.lease(of: id)
            _ = try await nodes.leases.take(lease, for: TestNodes.dead, seconds: 15)
            _ = try await nodes.first.drop(draft("Own", id: id), [.stem(779, seconds: 20)], token: token)
            try await wait {
                nodes.second.server.pieces.listen()
                return nodes.leases.refusals(of: lease) >= 2
            }
            #expect(try await nodes.pieces.findings(of: id) == nil)
            nodes.clock.advance(by: 15)
            try await wait {
                nodes.second.server.pieces.listen()
                return try await nodes.pieces.findings(of: id) != nil
            }
        }
    }

    @Test("a part whose drop is removed by one node while another one brings it leaves nothing, though no answer came")
    func removedMeanwhile() async throws {
        try await TestNodes.run { nodes in
            let (first, second) = (nodes.first, nodes.second)
            let token = try await second.author("Ada")
            let stem = TestService.Part.stem()
            let created = try await first.begin([stem], token: token).decoded(PieceCreated.self)
            let lease = MirroredPartStore.lease("\(created.id)/\(created.uploads[0].id)")
            nodes.objects.losesAnswers = true
            nodes.objects.onKeep {
                _ = try? await second.ask(.DELETE, "/v1/pieces/\(created.id)", token: token)
                // The other node has seen what it is to remove.
                try? await wait {
                    second.server.pieces.requestCleanup()
                    let left = try await nodes.pieces.discarded(at: .distantFuture, limit: 10)
                    return left.isEmpty || nodes.leases.refusals(of: lease) > 0
                }
            }
            #expect(try await first.send(stem.data, to: created.uploads[0], token: token).status == 503)
            try await wait {
                second.server.pieces.requestCleanup()
                let left = try await nodes.pieces.discarded(at: .distantFuture, limit: 10)
                return left.isEmpty && nodes.objects.count == 0
            }
        }
    }

    @Test("what a dead node was removing is removed once its lease has ended")
    func deadCleaner() async throws {
        try await TestNodes.run { nodes in
            let (first, second) = (nodes.first, nodes.second)
            let token = try await second.author("Ada")
            let piece = try await first.drop(token: token)
            _ = try await first.findings(of: piece.id, token: token)
            let lease = PieceCleanupJob.lease
            try await wait { try await nodes.leases.take(lease, for: TestNodes.dead, seconds: 15) != nil }
            let before = nodes.leases.refusals(of: lease)
            #expect(try await first.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            try await wait { nodes.leases.refusals(of: lease) > before }
            #expect(nodes.objects.count == 1)
            nodes.clock.advance(by: 15)
            second.server.pieces.requestCleanup()
            try await wait {
                let left = try await nodes.pieces.discarded(at: .distantFuture, limit: 10)
                return left.isEmpty && nodes.objects.count == 0
            }
        }
    }
}

/// Listens to nothing until it is opened, and knows how often it was asked.
private final class WaitingConverter: StemConverter {
    let formats = Set(StemFormat.allCases)
    private let state = Mutex((asked: 0, isOpen: false))

    var asked: Int { state.withLock { $0.asked } }
    func open() { state.withLock { $0.isOpen = true } }

    func convert(
        reading input: FileHandle,
        to format: StemFormat,
        tags: AudioTags,
        output: URL
    ) async throws(EarshotError) {
        try await InProcessStemConverter().convert(reading: input, to: format, tags: tags, output: output)
    }

    func facts(reading input: FileHandle, loop: LoopMarkers?) async throws(EarshotError) -> AudioFindings {
        state.withLock { $0.asked += 1 }
        while !state.withLock({ $0.isOpen }) {
            guard (try? await Task.sleep(for: .milliseconds(5))) != nil else {
                throw EarshotError(.cancelled, "The test ended.")
            }
        }
        return try await InProcessStemConverter().facts(reading: input, loop: loop)
    }
}
