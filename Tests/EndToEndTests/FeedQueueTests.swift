import EarshotCore
import EarshotSignatures
import EarshotStations
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

@Suite("Pieces on their way to a service")
struct FeedQueueTests {
    private static func piece(_ number: Int) throws -> LiveChunk {
        let signature = Signature(
            configuration: .standard,
            duration: MediaTime(value: 4, timescale: 1),
            landmarks: []
        )
        return try LiveChunk(
            sequence: UInt64(number),
            start: Date(timeIntervalSince1970: 1_700_000_000 + 4 * Double(number)),
            signature: signature
        )
    }

    private static func take(_ count: Int, _ connection: FeedQueue.Connection) async -> [Int] {
        var numbers: [Int] = []
        for _ in 0..<count {
            guard let piece = await connection.next() else { break }
            numbers.append(Int(piece.sequence))
        }
        return numbers
    }

    @Test("A connection that comes behind one that was lost begins with all that is held, however much was taken")
    func lost() async throws {
        let queue = FeedQueue()
        for number in 0..<20 { queue.append(try Self.piece(number)) }
        let first = queue.connect()
        #expect(await Self.take(20, first) == Array(0..<20))
        #expect(queue.isDrained)
        first.close()
        #expect(!queue.isDrained && queue.unsent == 0)
        for number in 20..<30 { queue.append(try Self.piece(number)) }
        let second = queue.connect()
        #expect(queue.unsent == 10)
        #expect(await Self.take(30, second) == Array(0..<30))
        #expect(queue.unsent == 0)
        // The first one gets nothing more, and takes nothing from the second.
        #expect(await first.next() == nil)
        queue.append(try Self.piece(30))
        #expect(await Self.take(1, second) == [30])
        queue.finish()
        #expect(await second.next() == nil)
        #expect(queue.count == 31 && queue.isOver)
    }

    @Test("A piece that is made while a connection waits goes to it, and the end of the queue ends it")
    func waiting() async throws {
        let queue = FeedQueue()
        let connection = queue.connect()
        let taken = Task { await Self.take(3, connection) }
        queue.append(try Self.piece(1))
        queue.append(try Self.piece(2))
        queue.finish()
        #expect(await taken.value == [1, 2])
    }

    @Test("Half an hour is held, with a connection that hangs and without one", arguments: [true, false])
    func limit(hangs: Bool) async throws {
        let queue = FeedQueue()
        let hanging = hangs ? queue.connect() : nil
        for number in 0..<FeedQueue.limit + 50 { queue.append(try Self.piece(number)) }
        hanging?.close()
        let connection = queue.connect()
        #expect(await Self.take(FeedQueue.limit, connection) == Array(50..<FeedQueue.limit + 50))
        #expect(queue.isDrained && queue.unsent == 0)
    }

    @Test("A task that is canceled while it waits for a piece is let go")
    func cancelled() async throws {
        let queue = FeedQueue()
        let connection = queue.connect()
        let taken = Task { await connection.next() }
        taken.cancel()
        #expect(await taken.value == nil)
    }
}
