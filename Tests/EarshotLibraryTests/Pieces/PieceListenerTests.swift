import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Listening to pieces")
struct PieceListenerTests {
    /// Sound that is there already, in blocks of any size.
    private struct Sound: AudioSource {
        typealias Element = AudioBlock
        typealias Failure = any Error

        let blocks: [AudioBlock]

        init(_ samples: [Float], channels: Int = 1, rate: Int = SyntheticAudio.rate, blockFrames: Int = 5_003) {
            let frames = samples.count / channels
            blocks = stride(from: 0, to: frames, by: blockFrames).map { start in
                let piece = samples[start * channels..<Swift.min(frames, start + blockFrames) * channels]
                let buffer = AudioBuffer(Array(piece), sampleRate: rate, channelCount: channels)
                return AudioBlock(buffer, at: MediaTime(frames: Int64(start), sampleRate: rate))
            }
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<AudioBlock>

            mutating func next() async throws -> AudioBlock? { rest.popFirst() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: blocks[...]) }
    }

    private func codes(_ draft: PieceDraft, _ facts: AudioFindings) -> [AudioWarning.Code] {
        AudioCheck().warnings(draft, heard: facts).map(\.code)
    }

    @Test("Of a loop of four seconds, tempo, key, length and seam are heard")
    func short() async throws {
        // Eight beats at 120, from the first on, and chords of A minor.
        let clicks = SyntheticAudio.clicks(tempo: 120, seconds: 4, begin: 0)
        let chords = SyntheticAudio.cadence(tonic: 9, minor: true, repeats: 1)
        let samples = clicks.enumerated().map { $1 + 0.5 * chords[$0 % chords.count] }
        let loop = LoopMarkers(start: 0, end: 4_000_000)
        let facts = try await PieceListener().facts(of: Sound(samples), loop: loop)
        #expect(facts.length == 4_000_000)
        let tempo = try #require(facts.tempo?.beatsPerMinute)
        #expect([60, 120, 240].contains { abs(tempo / $0 - 1) < 0.02 }, "\(tempo)")
        #expect(facts.key != nil && facts.seam != nil)
        let right = try PieceDraft(
            title: "a",
            length: 4_000_000,
            tempo: FixedTempo(120),
            loop: loop,
            tonality: .minor(.a)
        )
        #expect(!codes(right, facts).contains { $0 == .tempoDiffers || $0 == .keyDiffers || $0 == .lengthDiffers })
        let wrong = try PieceDraft(title: "a", length: 4_100_000, tempo: FixedTempo(97), loop: loop)
        #expect(codes(wrong, facts).contains(.tempoDiffers) && codes(wrong, facts).contains(.lengthDiffers))
        // Without the loop nothing repeats it, and four seconds are too few.
        #expect(try await PieceListener().facts(of: Sound(samples)).tempo == nil)
    }

    @Test("The seam is that of the markers, and of the worse channel, however the sound is cut into blocks")
    func seams() async throws {
        let rate = 48_000
        func tone(_ frame: Int) -> Float { 0.4 * Float(sin(2 * .pi * 300 * Double(frame) / Double(rate))) }
        var samples: [Float] = []
        for frame in 0..<3 * rate {
            // The other channel goes on with another phase at 1.5 s.
            samples += [tone(frame), frame < 72_000 ? tone(frame) : tone(frame + 40)]
        }
        func seam(_ start: Int64, _ end: Int64, _ blockFrames: Int) async throws -> LoopSeam {
            let loop = LoopMarkers(start: Microseconds(start), end: Microseconds(end))
            let sound = Sound(samples, channels: 2, rate: rate, blockFrames: blockFrames)
            return try #require(try await PieceListener().facts(of: sound, loop: loop).seam)
        }
        for blockFrames in [97, 4_096, 1_000_000] {
            // Whole periods on one side of the change; over it; half a period over.
            #expect(try await seam(100_000, 1_100_000, blockFrames).isSmooth)
            #expect(try await !seam(500_000, 2_500_000, blockFrames).isWaveSmooth)
            #expect(try await !seam(100_000, 1_101_667, blockFrames).isWaveSmooth)
        }
        #expect(try await seam(500_000, 2_500_000, 97) == seam(500_000, 2_500_000, 9_999))
    }

    @Test("A loop that is not heard whole has no seam, and a gap none either")
    func incomplete() async throws {
        let samples = SyntheticAudio.noise(seconds: 2)
        let listener = PieceListener()
        let late = LoopMarkers(start: 3_000_000, end: 4_000_000)
        #expect(try await listener.facts(of: Sound(samples), loop: late).seam == nil)
        let loop = LoopMarkers(start: 0, end: 2_000_000)
        #expect(try await listener.facts(of: Sound(samples), loop: loop).seam?.isSmooth == true)
        let none = try await listener.facts(of: Sound([]), loop: loop)
        #expect(none == AudioFindings(length: 0))
    }

    @Test("A file is heard as its samples are, and what is no sound is refused")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-heard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let samples = SyntheticAudio.clicks(tempo: 120, seconds: 2, begin: 0).map { Int16($0 * 16_000) }
        func little(_ number: some FixedWidthInteger) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
        var wave = Data("RIFF".utf8) + little(UInt32(samples.count * 2 + 36)) + Data("WAVEfmt ".utf8)
        wave += little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)) + little(UInt32(44_100))
        wave += little(UInt32(88_200)) + little(UInt16(2)) + little(UInt16(16)) + Data("data".utf8)
        wave += little(UInt32(samples.count * 2))
        for sample in samples { wave += little(sample) }
        let file = folder.appendingPathComponent("a.wav")
        try wave.write(to: file)
        let loop = LoopMarkers(start: 0, end: 2_000_000)
        let facts = try await PieceListener().facts(of: file, loop: loop)
        let direct = try await PieceListener().facts(of: Sound(samples.map { Float($0) / 32_768 }), loop: loop)
        #expect(facts.length == 2_000_000 && facts.seam == direct.seam && facts.tempo == direct.tempo)
        try Data("text".utf8).write(to: file)
        let error = await #expect(throws: EarshotError.self) { try await PieceListener().facts(of: file) }
        #expect(error?.code == .assetUnreadable)
    }
}
