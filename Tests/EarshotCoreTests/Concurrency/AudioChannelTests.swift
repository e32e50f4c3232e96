import Dispatch
import EarshotCore
import Testing

@Suite("Audio from a producer to a consumer")
struct AudioChannelTests {
    /// A block of a tenth of a second with a number.
    private func block(_ number: Int) -> AudioBlock {
        let buffer = AudioBuffer([Int16](repeating: Int16(number), count: 800), sampleRate: 8_000)
        return AudioBlock(buffer, at: MediaTime(value: Int64(number), timescale: 10))
    }

    private func rest(_ channel: AudioChannel) async throws -> [Int] {
        var numbers: [Int] = []
        while let block = try await channel.next() {
            numbers.append(Int(block.time.converted(toTimescale: 10).value))
        }
        return numbers
    }

    private static let second = MediaTime(value: 1, timescale: 1)

    @Test("A producer that cannot wait drops the oldest and learns how much", arguments: [(0.0, 1), (0.1, 2), (1, 10)])
    func dropping(_ share: Double, _ count: Int) async throws {
        let channel = AudioChannel(capacity: Self.second, droppedShare: share)
        for number in 0..<10 { #expect(channel.send(block(number)) == .zero) }
        #expect(channel.send(block(10)) == MediaTime(value: Int64(count), timescale: 10))
        channel.finish()
        #expect(channel.send(block(11)) == .zero)
        #expect(try await rest(channel) == Array(count...10))
        #expect(channel.isConsumed && channel.isFinished)
    }

    @Test("A producer that can wait loses nothing")
    func waiting() async throws {
        let channel = AudioChannel(capacity: MediaTime(value: 2, timescale: 10))
        let producer = Task {
            for number in 0..<50 { guard await channel.sendWaiting(block(number)) else { return false } }
            channel.finish()
            return true
        }
        #expect(try await rest(channel) == Array(0..<50))
        #expect(await producer.value)
    }

    @Test("A thread that produces is blocked until there is room")
    func blocking() async throws {
        let channel = AudioChannel(capacity: MediaTime(value: 2, timescale: 10))
        let thread = DispatchQueue(label: "producer")
        thread.async {
            for number in 0..<50 { channel.sendBlocking(block(number)) }
            channel.finish()
        }
        #expect(try await rest(channel) == Array(0..<50))
    }

    @Test("Canceling frees producers and drops what waits", arguments: [false, true])
    func cancelling(_ isThread: Bool) async throws {
        let channel = AudioChannel(capacity: MediaTime(value: 1, timescale: 10))
        channel.send(block(0))
        let producer = Task {
            guard isThread else { return await channel.sendWaiting(block(1)) }
            return await withCheckedContinuation { continuation in
                DispatchQueue(label: "producer").async {
                    continuation.resume(returning: channel.sendBlocking(block(1)))
                }
            }
        }
        for _ in 0..<20 { await Task.yield() }
        channel.cancel()
        #expect(await producer.value == false)
        #expect(try await rest(channel).isEmpty)
    }

    @Test("An error comes once, behind the blocks that wait")
    func failure() async throws {
        let channel = AudioChannel(capacity: Self.second)
        channel.send(block(0))
        channel.finish(throwing: EarshotError(.readFailed, "gone"))
        channel.finish(throwing: EarshotError(.cancelled, "too late"))
        #expect(try await channel.next() == block(0))
        await #expect { try await channel.next() } throws: { ($0 as? EarshotError)?.code == .readFailed }
        #expect(try await channel.next() == nil)
    }

    @Test("A consumer that waits gets the next block, and the end")
    func consumers() async throws {
        let channel = AudioChannel(capacity: Self.second)
        let consumer = Task { try await rest(channel) }
        while !channel.isConsumed { await Task.yield() }
        channel.send(block(3))
        channel.finish()
        #expect(try await consumer.value == [3])
    }
}
