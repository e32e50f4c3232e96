import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Live: files and raw samples in place of a microphone")
struct LivePacingTests {
    private let format = AudioFormat(sampleRate: 8_000, channelCount: 1, sampleType: .int16)

    private func tune(_ count: Int) -> [Int16] {
        (0..<count).map { Int16(truncatingIfNeeded: $0 &* 31) }
    }

    @Test(
        "A paced file, standard input and a microphone that hears the same give the same blocks",
        .requirements("R-CC-090")
    )
    func sameBlocks() async throws {
        let folder = try TemporaryFolder()
        let samples = tune(12_345)
        let file = try folder.write(WaveFile.bytes(samples, sampleRate: 8_000, channelCount: 1), as: "a.wav")
        let heard = samples.indices.filter { $0 % 400 == 0 }.map { first in
            AudioBlock(
                AudioBuffer(Array(samples[first..<min(first + 400, samples.count)]), sampleRate: 8_000),
                at: MediaTime(frames: Int64(first), sampleRate: 8_000)
            )
        }
        let steps = heard.map { MicrophoneDouble.Step.block($0) }
        let device = DeviceDouble([.steps(steps + [.end])])
        var options = CaptureSource.Options(reconnects: false)
        options.stallDuration = nil
        let microphone = try await CaptureSource(options: options) { cancellation throws(EarshotError) in
            try device.open(cancellation)
        }
        #expect(await drain(microphone).blocks == heard)

        for speed in [nil, 1, 4.0] {
            let clock = InstantClock()
            let reader = try await AssetReader(file, options: .init(sampleType: .int16))
            let paced = PacedSource(reader, speed: speed, clock: clock.clock)
            #expect(paced.expectedDuration == MediaTime(frames: 12_345, sampleRate: 8_000))
            #expect(await drain(paced).blocks == heard)
            let whole = MediaTime(frames: 12_345, sampleRate: 8_000).seconds
            #expect(abs(clock.clock.now.seconds - (speed.map { whole / $0 } ?? 0)) < 1e-6)
        }

        let raw = samples.flatMap { sample in withUnsafeBytes(of: sample.littleEndian) { Array($0) } }
        let pipe = Pipe()
        let writing = Task.detached {
            try pipe.fileHandleForWriting.write(contentsOf: Data(raw))
            try pipe.fileHandleForWriting.close()
        }
        let input = try PCMSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, format: format)
        #expect(await drain(input).blocks == heard)
        try await writing.value

        let live = try await LiveSource(file, options: .init(sampleType: .int16))
        let read = await drain(live)
        #expect(read.blocks.gaps.isEmpty && read.error == nil)
        #expect(read.blocks.map(\.buffer.frameCount).reduce(0, +) == 12_345)
        #expect(await drain(live.events) == [.started(format), .ended])
    }

    @Test("A block comes when its end would have been heard, and a gap takes its time")
    func moments() {
        var pace = Pace(speed: 2)
        let blocks = Tone.blocks(4)
        pace.begin(at: .seconds(10))
        pace.begin(at: .seconds(20))
        #expect(pace.moment(of: blocks[1]) == .seconds(10) + .milliseconds(25))
        #expect(pace.moment(of: blocks[3]) == .seconds(10) + .milliseconds(75))
        var free = Pace(speed: nil)
        free.begin(at: .zero)
        #expect(free.moment(of: blocks[0]) == nil)
    }

    @Test("Nothing is given before its time")
    func waiting() async throws {
        let clock = ManualClock()
        let reader = try await AssetReader(Fixtures.url("wav16.wav"))
        let paced = PacedSource(reader, clock: clock.clock)
        let reading = Task {
            var blocks = paced.makeAsyncIterator()
            let first = try await blocks.next()
            return (first, clock.now)
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: 0.049)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: 0.001)
        let (first, moment) = try await reading.value
        #expect(first?.endTime == .milliseconds(50) && moment == .milliseconds(50))
    }

    @Test("Blocks are cut without losing a sample")
    func cutting() {
        property("cutting blocks", rounds: 100) { generator in
            let count = Int.random(in: 0..<500, using: &generator)
            let samples = (0..<count * 2).map { _ in Float.random(in: -1...1, using: &generator) }
            let whole = AudioBlock(AudioBuffer(samples, sampleRate: 8_000, channelCount: 2), at: .seconds(3))
            let parts = whole.cut(into: Int.random(in: 1..<200, using: &generator))
            let joined = parts.flatMap { part -> [Float] in
                if case .float32(let samples) = part.buffer.samples { samples } else { [] }
            }
            return joined == samples && parts.gaps.isEmpty && parts.first?.time == .seconds(3)
        }
    }

    @Test("Raw samples: a senseless format and a closed descriptor are errors, and waiting can be canceled")
    func rawErrors() async throws {
        let wrong = AudioFormat(sampleRate: 8_000, channelCount: 0)
        let error = #expect(throws: EarshotError.self) { try PCMSource(format: wrong) }
        #expect(error?.code == .audioFormatInvalid)
        let closed = try PCMSource(fileDescriptor: 9_999, format: format)
        #expect(await drain(closed).error?.code == .readFailed)
        let pipe = Pipe()
        let source = try PCMSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, format: format)
        let reading = Task { await drain(source) }
        reading.cancel()
        #expect(await reading.value.error?.code == .cancelled)
        try pipe.fileHandleForWriting.close()
    }
}
