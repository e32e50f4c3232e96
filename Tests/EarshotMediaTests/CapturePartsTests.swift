import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Capture: pauses, queues, time")
struct CapturePartsTests {
    @Test("Pauses double to the longest one and begin anew after a good stretch")
    func pauses() {
        var schedule = ReconnectSchedule(ReconnectPolicy())
        var pauses: [MediaTime?] = []
        for _ in 0..<7 { pauses.append(schedule.failed(after: nil, at: .zero, random: 1)) }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        schedule.connected()
        #expect(schedule.failed(after: .seconds(9), at: .zero, random: 0) == .seconds(30))
        schedule.connected()
        #expect(schedule.failed(after: .seconds(10), at: .zero, random: 0) == .seconds(1))
    }

    @Test("A source gives up after so many attempts, or so long")
    func givingUp() {
        var never = ReconnectSchedule(.never)
        #expect(never.failed(after: .seconds(100), at: .zero, random: 0) == nil)
        var policy = ReconnectPolicy()
        policy.attempts = 2
        var few = ReconnectSchedule(policy)
        #expect(few.failed(after: nil, at: .zero, random: 0) == .seconds(1))
        #expect(few.failed(after: nil, at: .zero, random: 0) == .seconds(2))
        #expect(few.failed(after: nil, at: .zero, random: 0) == nil)
        policy = ReconnectPolicy()
        policy.longestOutage = .seconds(5)
        var short = ReconnectSchedule(policy)
        #expect(short.failed(after: nil, at: .seconds(10), random: 0) == .seconds(1))
        #expect(short.failed(after: nil, at: .seconds(11), random: 0) == .seconds(2))
        #expect(short.failed(after: nil, at: .seconds(13), random: 0) == nil)
        short.connected()
        #expect(short.failed(after: .seconds(60), at: .seconds(80), random: 0) == .seconds(1))
    }

    @Test("Chance makes pauses shorter, by no more than its part")
    func jitter() {
        property("jitter") { generator in
            var policy = ReconnectPolicy()
            policy.jitter = Double.random(in: 0...1, using: &generator)
            var schedule = ReconnectSchedule(policy)
            var plain = ReconnectSchedule(ReconnectPolicy())
            for _ in 0..<8 {
                let random = Double.random(in: 0...1, using: &generator)
                guard let pause = schedule.failed(after: nil, at: .zero, random: random),
                    let whole = plain.failed(after: nil, at: .zero, random: random)
                else { return false }
                let least = whole.converted(toTimescale: 1_000_000_000).scaled(byFraction: 1 - policy.jitter)
                guard pause <= whole, pause >= least else { return false }
            }
            return true
        }
    }

    @Test("A queue drops the oldest, a tenth at once, and keeps the order")
    func queue() {
        property("audio backlog") { generator in
            var queue = AudioBacklog<AudioBlock>(capacity: .seconds(1), droppedShare: 0.1)
            var held: [Int] = []
            for index in 0..<Int.random(in: 0..<200, using: &generator) {
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    guard queue.popFirst().map(Tone.number) == (held.isEmpty ? nil : held.removeFirst()) else {
                        return false
                    }
                    continue
                }
                let before = held.count
                let lost = queue.appendDroppingOldest(Tone.blocks(1, from: index)[0])
                held.append(index)
                if before == 20 { held.removeFirst(3) }
                guard lost == (before == 20 ? .milliseconds(150) : .zero) else { return false }
                guard queue.duration == .milliseconds(Int64(held.count) * 50) else { return false }
            }
            while let block = queue.popFirst() {
                guard !held.isEmpty, Tone.number(block) == held.removeFirst() else { return false }
            }
            return held.isEmpty && queue.isEmpty && queue.duration == .zero
        }
    }

    @Test("Wavering moments and a clock that drifts or is set are no gap; lost sound is", .requirements("R-CC-089"))
    func gaps() {
        property("capture timeline", rounds: 100) { generator in
            var timeline = CaptureTimeline(sampleRate: 48_000)
            let drift = Double.random(in: -200e-6...200e-6, using: &generator)
            let lossAt = Int.random(in: 100..<300, using: &generator)
            let loss = Double.random(in: 200_000...5_000_000, using: &generator)
            let setAt = Int.random(in: 400..<500, using: &generator)
            let setBy = Double.random(in: -4_000_000...4_000_000, using: &generator)
            var missing: [Int64] = []
            for packet in 0..<600 {
                var moment = 1e15 + Double(packet) * 25_000 * (1 + drift)
                if packet >= lossAt { moment += loss }
                let wavering = Double.random(in: -3_000...3_000, using: &generator)
                let late = Double.random(in: 0...1, using: &generator) < 0.05 ? 80_000.0 : 2_000
                let found = timeline.place(
                    recorded: Int64(moment + wavering + (packet >= setAt ? setBy : 0)),
                    arrived: Int64(moment - 1e15 + late),
                    frames: 1_200
                )
                if found > 0 { missing.append(found) }
            }
            return missing.count == 1 && abs(Double(missing[0]) - loss) < 60_000
        }
    }

    @Test("Bytes become the same blocks however they are cut")
    func parsing() {
        property("raw samples", rounds: 100) { generator in
            let type = AudioFormat.SampleType.allCases.randomElement(using: &generator) ?? .int16
            let format = AudioFormat(sampleRate: 8_000, channelCount: 2, sampleType: type)
            let bytes = (0..<Int.random(in: 0..<5_000, using: &generator)).map { _ in
                // Small bytes: no pattern of them is "not a number", which is unlike itself.
                UInt8.random(in: 0..<64, using: &generator)
            }
            var whole = PCMParser(format: format, blockFrames: 100)
            whole.append(bytes)
            var expected: [AudioBlock] = []
            while let block = whole.nextBlock() { expected.append(block) }
            if let rest = whole.finish() { expected.append(rest) }
            var parser = PCMParser(format: format, blockFrames: 100)
            var blocks: [AudioBlock] = []
            var next = 0
            while next < bytes.count {
                let end = min(next + Int.random(in: 1..<700, using: &generator), bytes.count)
                parser.append(bytes[next..<end])
                while let block = parser.nextBlock() { blocks.append(block) }
                next = end
            }
            if let rest = parser.finish() { blocks.append(rest) }
            let frames = blocks.reduce(0) { $0 + $1.buffer.frameCount }
            return blocks == expected && frames == bytes.count / (2 * type.byteCount) && blocks.gaps.isEmpty
        }
    }

    @Test("Samples are little-endian")
    func endianness() {
        var parser = PCMParser(format: Tone.format, blockFrames: 2)
        parser.append([0x01, 0x02, 0xFF, 0xFF])
        let integers = parser.nextBlock()
        #expect(integers?.buffer.samples == .int16([0x0201, -1]))
        let format = AudioFormat(sampleRate: 8_000, channelCount: 1, sampleType: .float32)
        var floats = PCMParser(format: format, blockFrames: 1)
        floats.append([0x00, 0x00, 0x80, 0xBF])
        let real = floats.nextBlock()
        #expect(real?.buffer.samples == .float32([-1]))
    }

    @Test("A device's gap is an overload, a stream's is only a gap")
    func overload() {
        let blocks = Tone.blocks(3)
        for kind in [CaptureProgress.Kind.device, .stream] {
            var progress = CaptureProgress(kind: kind, now: .zero)
            #expect(progress.opened(Tone.format, at: .zero) == [.started(Tone.format)])
            #expect(progress.received(blocks[0], at: .zero).events.isEmpty)
            let late = progress.received(blocks[2], at: .zero)
            #expect(late.events == (kind == .device ? [.overload(lost: .milliseconds(50))] : []))
            #expect(late.block == blocks[2])
        }
    }

    @Test("One outage is told once, whether it began as silence or as loss")
    func outages() {
        var progress = CaptureProgress(kind: .stream, now: .zero)
        let block = Tone.blocks(1)[0]
        _ = progress.opened(Tone.format, at: .zero)
        _ = progress.received(block, at: .zero)
        progress.waits(since: .seconds(1))
        #expect(progress.stallsAt(after: .seconds(5)) == .seconds(6))
        #expect(progress.stalled() == [.interrupted(.stalled)])
        #expect(progress.stalled().isEmpty)
        #expect(progress.lost(isFailure: true).isEmpty)
        #expect(progress.opened(Tone.format, at: .seconds(9)).isEmpty)
        let back = progress.received(block, at: .seconds(10))
        #expect(back.events == [.resumed])
        #expect(back.block.time == .milliseconds(9_050))
        #expect(progress.lost(isFailure: false) == [.interrupted(.closed)])
        #expect(progress.ended() == [.ended])
        #expect(progress.ended().isEmpty)
    }

    @Test("Without a device there is no default, and a microphone goes before a monitor")
    func choice() throws {
        #expect(throws: EarshotError.self) { try CaptureDevice.choose(from: []) }
        let monitor = CaptureDevice(id: "a.monitor", system: .pulse)
        let microphone = CaptureDevice(id: "b", system: .pulse)
        #expect(try CaptureDevice.choose(from: [monitor, microphone]) == microphone)
        #expect(try CaptureDevice.choose(from: [monitor]) == monitor)
        let chosen = CaptureDevice(id: "c.monitor", name: "C", system: .pulse, isDefault: true)
        #expect(try CaptureDevice.choose(from: [monitor, microphone, chosen]) == chosen)
        #expect(monitor.isMonitor == true && microphone.isMonitor == false)
        #expect(CaptureDevice(id: "hw:0", system: .alsa).isMonitor == nil)
    }
}
