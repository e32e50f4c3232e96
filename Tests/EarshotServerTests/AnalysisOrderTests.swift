import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Whose pieces are listened to next")
struct AnalysisOrderTests {
    private func candidate(_ author: String) -> AnalysisOrder.Candidate { (author, PieceID()) }

    @Test("each author has one piece under way, and so many authors have one")
    func authors() {
        var order = AnalysisOrder()
        let (first, second, other) = (candidate("Ada"), candidate("Ada"), candidate("Grace"))
        #expect(order.begin([first, second, other]).map(\.piece) == [first.piece, other.piece])
        #expect(order.begin([first, second]).isEmpty)
        #expect(order.excluded == [[first.piece, other.piece]])
        order.end(first.piece, isDone: true)
        #expect(order.begin([second]).map(\.piece) == [second.piece])
        let many = (0..<100).map { candidate("author \($0)") }
        #expect(order.begin(many).count == AnalysisOrder.mostAuthors - 2)
    }

    @Test("what failed waits for the next round, behind what was never tried, and for the last time in the third")
    func failures() {
        var order = AnalysisOrder()
        let (bad, good) = (candidate("Ada"), candidate("Ada"))
        for attempt in 1...3 {
            order.beginRound()
            #expect(order.isLast(bad.piece) == (attempt == 3))
            #expect(order.begin([bad]).count == 1)
            order.end(bad.piece, isDone: false)
            // Asked for anew, the author's other piece comes.
            #expect(order.excluded.allSatisfy { $0.contains(bad.piece) })
            #expect(order.begin([good]).count == 1)
            order.end(good.piece, isDone: true)
        }
        order.beginRound()
        #expect(order.excluded == [[bad.piece], []])
        _ = order.begin([bad])
        order.end(bad.piece, isDone: true)
        #expect(order.excluded == [[]])
    }

    @Test("three failures in a row end a round, and not three between others")
    func pause() {
        var order = AnalysisOrder()
        func attempt(_ isDone: Bool) {
            let candidate = candidate("Ada")
            _ = order.begin([candidate])
            order.end(candidate.piece, isDone: isDone)
        }
        for isDone in [false, false, true, false, false] { attempt(isDone) }
        #expect(!order.isPaused)
        attempt(false)
        #expect(order.isPaused)
        order.beginRound()
        #expect(!order.isPaused)
    }

    /// Decodes when it is told to, and knows for whom and how urgently.
    private final class PatientDecoder: UploadDecoder {
        private let semaphore = DispatchSemaphore(value: 0)
        private let decoded = Mutex<[WorkOwner]>([])
        private let yields = Mutex<Set<Bool>>([])

        var owners: [String] { decoded.withLock { $0.map(\.client) } }
        var alwaysYields: Bool { yields.withLock { $0 == [true] } }
        func open(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }

        func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
            decoded.withLock { $0.append(WorkOwner.current) }
            yields.withLock { _ = $0.insert(WorkQueue.turnYields) }
            try await BlockingWork.run { () throws(EarshotError) in self.semaphore.wait() }
            return try await InProcessDecoder().signature(reading: input, limit: limit)
        }
    }

    @Test("an author with many sounds delays neither other authors nor recognition")
    func turns() async throws {
        let decoder = PatientDecoder()
        var settings = ServiceSettings()
        settings.workers = 1
        try await TestService.run(settings, decoder: decoder) { (service: TestService) async throws in
            let (ada, grace) = (try await service.author("Ada"), try await service.author("Grace"))
            let store = service.server.pieces.store
            let other = try #require(try await store.author(named: try AuthorName("Grace").key)).id
            let queue = service.server.analysis.queue
            let long = try await service.drop(
                DraftForm(title: "Long", length: 2_000_000),
                [.stem()] + (1...5).map { .stem(named: "\($0)") },
                token: ada
            )
            while decoder.owners.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let short = try await service.drop(token: grace)
            // Nothing of it runs or waits where recordings are recognized.
            #expect(service.server.queue.load == (0, 0))
            #expect(try await service.recognize(1, token: grace).matches.isEmpty == false)
            // However long each sound of the one takes, the other's turn comes.
            while !decoder.owners.contains(other), decoder.owners.count < 6 {
                let count = decoder.owners.count
                while queue.load != (1, 1) { try await Task.sleep(for: .milliseconds(5)) }
                decoder.open()
                while decoder.owners.count == count { try await Task.sleep(for: .milliseconds(5)) }
            }
            #expect(decoder.owners.count <= 3)
            decoder.open(10)
            for (id, token) in [(long.id, ada), (short.id, grace)] {
                #expect(try await service.findings(of: id, token: token).isComplete)
            }
            #expect(decoder.alwaysYields)
        }
    }
}
