import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotSignatures
import EarshotStations
import Foundation
import TestSupport
import Testing

@Suite struct LiveFeedTests {
    private func feed(_ pieces: [LiveChunk], channel: EntityID<BroadcastChannel> = "7") throws -> [UInt8] {
        var writer = try LiveFeedWriter(channel: channel)
        return try pieces.reduce(into: [UInt8](writer.header)) { $0 += try writer.data(of: $1) }
    }

    /// All that a reader gives, and how it ended.
    private func read(
        _ bytes: [UInt8],
        _ cut: () -> Int
    ) -> (channel: EntityID<BroadcastChannel>?, pieces: [LiveChunk], failure: EarshotError.Code?) {
        var reader = LiveFeedReader()
        var pieces: [LiveChunk] = []
        do {
            var offset = 0
            while offset < bytes.count {
                let end = min(bytes.count, offset + max(1, cut()))
                reader.append(bytes[offset..<end])
                while let piece = try reader.next() { pieces.append(piece) }
                offset = end
            }
            try reader.finish()
        } catch {
            return (reader.channel, pieces, error.code)
        }
        return (reader.channel, pieces, nil)
    }

    @Test("A feed gives what was written, however its bytes are cut")
    func pieces() throws {
        let pieces = try LiveSamples.pieces(.random(seed: 1, seconds: 40))
        let bytes = try feed(pieces, channel: "sender é")
        property("cuts", rounds: 50) { generator in
            let most = Int.random(in: 1...2_000, using: &generator)
            let result = read(bytes) { Int.random(in: 1...most, using: &generator) }
            return result.pieces == pieces && result.channel == "sender é" && result.failure == nil
        }
    }

    @Test("What is damaged is refused, or gives pieces of the feed only")
    func damage() throws {
        let pieces = try LiveSamples.pieces(.random(seed: 2, seconds: 20))
        let bytes = try feed(pieces)
        property("damage", rounds: 500) { generator in
            let result = read(generator.mutated(bytes)) { Int.random(in: 1...4_000, using: &generator) }
            guard result.failure == nil || result.failure == .requestInvalid else { return false }
            return result.pieces.allSatisfy(pieces.contains)
        }
        for count in stride(from: 0, to: bytes.count, by: 37) {
            let result = read(Array(bytes.prefix(count))) { 500 }
            #expect(Array(pieces.prefix(result.pieces.count)) == result.pieces)
        }
    }

    @Test("The header of the document")
    func header() throws {
        let header = [UInt8](try LiveFeedWriter(channel: "7").header)
        let expected: [UInt8] = Array("EARSHLIV".utf8) + [1, 0, 0, 0, 1, 0, 0, 0, 0x37]
        #expect(Array(header.prefix(17)) == expected)
        #expect(header.count == 21)
        #expect(Array(header.suffix(4)) == [0x65, 0xBD, 0xC6, 0xF4])
        #expect(read(header) { 1 }.failure == nil)
        var newer = header
        newer[8] = 2
        #expect(read(newer) { 100 }.failure == .requestInvalid)
    }

    @Test("Limits are kept by the writer and the reader")
    func limits() throws {
        #expect(code { _ = try LiveFeedWriter(channel: "") } == .requestInvalid)
        #expect(
            code { _ = try LiveFeedWriter(channel: EntityID(String(repeating: "x", count: 257))) } == .requestInvalid
        )
        let pieces = try LiveSamples.pieces(.random(seed: 3, seconds: 8))
        var writer = try LiveFeedWriter(channel: "7")
        _ = try writer.data(of: pieces[1])
        #expect(code { _ = try writer.data(of: pieces[0]) } == .requestInvalid)
        #expect(
            code { _ = try LiveChunk(sequence: 0, start: .distantPast, signature: pieces[0].signature) }
                == .requestInvalid
        )
        #expect(
            code { _ = try LiveChunk(sequence: 0, start: LiveSamples.start, signature: .random(seed: 1, seconds: 61)) }
                == .requestInvalid
        )
        // A record that claims to be long is refused before it comes.
        let header = [UInt8](writer.header)
        #expect(read(header + [1, 0, 0, 0, 1, 0, 1, 0]) { 100 }.failure == .requestInvalid)
    }
}

@Suite struct LiveFeederTests {
    @Test("Pieces have the landmarks of the whole, however the audio is cut")
    func whole() throws {
        let music = SyntheticMusic(seed: 8, duration: 21)
        let samples = music.samples()
        let whole = try Signature.of(samples)
        property("cuts of audio", rounds: 4) { generator in
            var feeder = LiveFeeder()
            var pieces: [LiveChunk] = []
            var first = 0
            while first < samples.count {
                let end = min(samples.count, first + Int.random(in: 200...60_000, using: &generator))
                pieces += try feeder.append(
                    AudioBuffer(Array(samples[first..<end]), sampleRate: 16_000),
                    at: LiveSamples.date(Double(first) / 16_000)
                )
                first = end
            }
            guard pieces.count == 5 else { return false }
            pieces += try feeder.finish()
            guard pieces.map(\.sequence) == Array(0..<6) else { return false }
            return pieces.enumerated().allSatisfy { index, piece in
                piece.start == LiveSamples.date(Double(index * 4))
                    && piece.signature == LiveSamples.query(whole, from: Double(index * 4), seconds: index < 5 ? 4 : 1)
            }
        }
    }

    @Test("Behind a gap audio goes on at its own date; jitter is no gap")
    func gaps() throws {
        let music = SyntheticMusic(seed: 9, duration: 30)
        var feeder = LiveFeeder(pieceDuration: MediaTime(value: 2, timescale: 1), sequence: 10)
        var pieces = try feeder.append(music.buffer(seconds: 5), at: LiveSamples.date(0))
        pieces += try feeder.append(music.buffer(from: 5, seconds: 5), at: LiveSamples.date(5.1))
        pieces += try feeder.append(music.buffer(from: 20, seconds: 5), at: LiveSamples.date(20))
        pieces += try feeder.finish()
        let starts = pieces.map { $0.start.timeIntervalSince(LiveSamples.start) }
        #expect(starts == [0, 2, 4, 6, 8, 20, 22, 24])
        #expect(pieces.map(\.sequence) == Array(10..<18))
        #expect(pieces.last?.signature.duration == LiveSamples.seconds(1))
    }
}
