import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("The states of a reader")
struct ReadingStateTests {
    @Test("Unknown before the first block, reading, and completed behind the last", .requirements("R-MR-017"))
    func completed() async throws {
        let reader = try await AssetReader(Fixtures.url("wav16.wav"))
        #expect(reader.state == .unknown)
        var iterator = reader.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(reader.state == .reading)
        while try await iterator.next() != nil {}
        #expect(reader.state == .completed && reader.error == nil)
        reader.cancel()
        #expect(reader.state == .completed)
    }

    @Test("Failed with its error where the file breaks off", .requirements("R-MR-017", "R-MR-016"))
    func failed() async throws {
        let folder = try TemporaryFolder()
        let bytes = try Fixtures.bytes("long.flac")
        let url = try folder.write(Array(bytes.prefix(bytes.count / 2)), as: "half.flac")
        let reader = try await AssetReader(url)
        let error = await #expect(throws: EarshotError.self) { for try await _ in reader {} }
        #expect(error?.code == .readFailed)
        #expect(reader.state == .failed && reader.error?.message == error?.message)
    }

    @Test("Cancelled by a call, and by the task", .requirements("R-MR-017"))
    func cancelled() async throws {
        let reader = try await AssetReader(Fixtures.url("long.flac"))
        reader.cancel()
        #expect(reader.state == .cancelled)
        let error = await #expect(throws: EarshotError.self) { for try await _ in reader {} }
        #expect(error?.code == .cancelled && reader.state == .cancelled && reader.error == nil)
        let other = try await AssetReader(Fixtures.url("long.flac"))
        let task = Task { for try await _ in other {} }
        task.cancel()
        _ = await task.result
        #expect(other.state == .cancelled)
    }

    @Test("Nothing follows a final state", .requirements("R-MR-017"))
    func order() {
        var seen: Set<ReadingState> = []
        property("events in any order") { random in
            var machine = ReadingState.Machine()
            for _ in 0..<8 {
                let before = machine
                seen.insert(machine.state)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: machine.asked()
                case 1: machine.answered(hasElement: true)
                case 2: machine.answered(hasElement: false)
                case 3: machine.broke(EarshotError(.readFailed, "broken"))
                case 4: machine.broke(EarshotError(.cancelled, "cancelled"))
                default: machine.cancelled()
                }
                if before.state.isFinal, machine.state != before.state { return false }
                if (machine.state == .failed) != (machine.error != nil) { return false }
                if machine.state == .completed, before.state == .unknown { return false }
            }
            return true
        }
        #expect(seen == Set(ReadingState.allCases))
    }
}
