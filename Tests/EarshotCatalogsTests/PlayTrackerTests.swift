import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("Plays of a stream")
struct PlayTrackerTests {
    private static let songs = (0..<4).map { SyntheticMusic(seed: UInt64(70 + $0), duration: 60) }

    private static func catalog() throws -> Catalog {
        var catalog = Catalog()
        for (number, song) in songs.enumerated() {
            try catalog.add(
                try song.signature(),
                representing: [],
                id: ReferenceID("\(number)")
            )
        }
        return catalog
    }

    /// What plays from when on, laid over one another.
    private struct Broadcast {
        var samples: [Float]

        init(seconds: Int) { samples = [Float](repeating: 0, count: seconds * 16_000) }

        mutating func play(_ song: Int, from place: Double, seconds: Double, at time: Double, gain: Float = 1) {
            let part = PlayTrackerTests.songs[song].samples(from: place, seconds: seconds)
            let first = Int(time * 16_000)
            for (index, sample) in part.enumerated() where first + index < samples.count {
                samples[first + index] += sample * gain
            }
        }

        func buffers(_ size: Int) -> [AudioBuffer] {
            stride(from: 0, to: samples.count, by: size).map {
                AudioBuffer(Array(samples[$0..<min(samples.count, $0 + size)]), sampleRate: 16_000)
            }
        }
    }

    private func run(_ broadcast: Broadcast, size: Int = 16_000) throws -> [PlayTracker.Change] {
        var follower = try PlayTracker(try Self.catalog())
        var changes: [PlayTracker.Change] = []
        for buffer in broadcast.buffers(size) { changes += try follower.append(buffer) }
        changes += try follower.finish()
        return changes
    }

    private func ended(_ changes: [PlayTracker.Change]) -> [TrackedPlay] {
        changes.compactMap { if case .ended(let play) = $0 { play } else { nil } }
    }

    @Test("Songs one behind the other are told with begin and end, each once")
    func songs() throws {
        var broadcast = Broadcast(seconds: 170)
        broadcast.play(0, from: 0, seconds: 50, at: 10)
        broadcast.play(1, from: 5, seconds: 40, at: 61)
        broadcast.play(2, from: 0, seconds: 30, at: 120)
        let changes = try run(broadcast)
        let plays = ended(changes)
        #expect(plays.map(\.id.rawValue) == ["0", "1", "2"])
        let truth = [(10.0, 60.0, 0.0), (61, 101, 5), (120, 150, 0)]
        for (play, (begin, end, place)) in zip(plays, truth) {
            #expect(abs(play.queryRange.lowerBound.seconds - begin) < 0.6, "\(play.id)")
            #expect(abs(play.queryRange.upperBound.seconds - end) < 0.6, "\(play.id)")
            #expect(abs(play.referenceRange.lowerBound.seconds - place) < 0.6)
        }
        // Begun before it ended, under one number, and never withdrawn.
        for play in plays {
            let said = changes.filter { $0.play.number == play.number }
            guard case .began = said.first, case .ended = said.last else {
                Issue.record("\(play.number) is not told from begin to end")
                continue
            }
        }
        #expect(Set(plays.map(\.number)).count == 3)
    }

    @Test("It does not matter how the audio is cut")
    func cutting() throws {
        var broadcast = Broadcast(seconds: 80)
        broadcast.play(3, from: 10, seconds: 45, at: 8)
        let whole = try run(broadcast, size: 80 * 16_000)
        for size in [16_000, 4_410, 1_021] { #expect(try run(broadcast, size: size) == whole, "\(size)") }
    }

    @Test("A break in the stream is part of the play that goes on behind it")
    func interruption() throws {
        let song = Self.songs[0]
        var follower = try PlayTracker(try Self.catalog())
        var changes = try follower.append(song.buffer(from: 0, seconds: 25))
        changes += try follower.skip(MediaTime(value: 10, timescale: 1))
        changes += try follower.append(song.buffer(from: 35, seconds: 20))
        changes += try follower.finish()
        let plays = ended(changes)
        #expect(plays.count == 1)
        let play = try #require(plays.first)
        #expect(abs(play.queryRange.lowerBound.seconds) < 0.6)
        #expect(abs(play.queryRange.upperBound.seconds - 55) < 0.6)
        #expect(abs(play.lost.seconds - 10) < 1)
        #expect(abs(play.playedDuration.seconds - 45) < 1.2)
    }

    @Test("Another song behind a break is another play, and the first ended where it was")
    func otherBehindBreak() throws {
        var follower = try PlayTracker(try Self.catalog())
        var changes = try follower.append(Self.songs[0].buffer(from: 0, seconds: 25))
        changes += try follower.skip(MediaTime(value: 30, timescale: 1))
        changes += try follower.append(Self.songs[1].buffer(from: 0, seconds: 25))
        changes += try follower.finish()
        let plays = ended(changes).sorted { $0.number < $1.number }
        #expect(plays.map(\.id.rawValue) == ["0", "1"])
        #expect(abs((plays.first?.queryRange.upperBound.seconds ?? 0) - 25) < 0.6)
        #expect(abs((plays.last?.queryRange.lowerBound.seconds ?? 0) - 55) < 0.6)
    }

    @Test("A play that was kept goes on after a restart under its number")
    func restart() throws {
        let song = Self.songs[2]
        var first = try PlayTracker(try Self.catalog())
        _ = try first.append(song.buffer(from: 0, seconds: 25))
        var open = try #require(first.plays.first)
        // The new run's zero is 5 s after the end of the old one.
        let shift = MediaTime(value: 30, timescale: 1)
        var placement = open.placement
        placement.offset += shift
        placement.queryRange = open.queryRange.lowerBound - shift..<open.queryRange.upperBound - shift
        open = TrackedPlay(
            number: open.number,
            id: open.id,
            referenceDuration: open.referenceDuration,
            placement: placement
        )
        var second = try PlayTracker(try Self.catalog())
        second.resume([open])
        var changes = try second.append(song.buffer(from: 30, seconds: 25))
        changes += try second.finish()
        let plays = ended(changes)
        #expect(plays.map(\.number) == [open.number])
        #expect(abs((plays.first?.queryRange.lowerBound.seconds ?? 0) + 30) < 0.6)
        #expect(abs((plays.first?.queryRange.upperBound.seconds ?? 0) - 25) < 0.6)
    }

    @Test("A song at another speed and in noise is told with begin and end", arguments: [0.96, 1.04])
    func otherSpeed(_ speed: Double) throws {
        var broadcast = Broadcast(seconds: 50)
        broadcast.play(1, from: 5, seconds: 50, at: 0)
        let played = Degradation.resampled(broadcast.samples, speed: speed)
        let silence = Array(repeating: Float(0), count: 10 * 16_000)
        broadcast.samples = silence + Degradation.noisy(played, signalToNoise: 6, seed: 7) + silence
        let changes = try run(broadcast)
        let play = try #require(ended(changes).first)
        #expect(ended(changes).count == 1 && play.id.rawValue == "1")
        #expect(abs(play.queryRange.lowerBound.seconds - 10) < 0.6)
        #expect(abs(play.queryRange.upperBound.seconds - (10 + 50 / speed)) < 0.6)
        #expect(abs(play.placement.speedSkew - (speed - 1)) < 0.002)
    }

    @Test("A track that repeats itself is one play, at its own place")
    func repeats() throws {
        // Twelve times the same five seconds, and an end of its own.
        let loop = Self.songs[0].samples(from: 0, seconds: 5)
        let samples = Array(repeating: loop, count: 12).flatMap(\.self) + Self.songs[1].samples(from: 0, seconds: 20)
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(samples, sampleRate: 16_000))
        var catalog = Catalog()
        try catalog.add(generator.signature(), representing: [], id: "loop")
        var follower = try PlayTracker(catalog)
        var changes: [PlayTracker.Change] = []
        for start in stride(from: 0, to: samples.count, by: 16_000) {
            let part = Array(samples[start..<min(samples.count, start + 16_000)])
            changes += try follower.append(AudioBuffer(part, sampleRate: 16_000))
        }
        changes += try follower.finish()
        let play = try #require(ended(changes).max { $0.playedDuration < $1.playedDuration })
        #expect(abs(play.queryRange.upperBound.seconds - 80) < 0.6)
        #expect(abs(play.queryRange.lowerBound.seconds) < 0.6)
        #expect(ended(changes).count == 1)
    }

    @Test("What the catalog does not have is no play")
    func unknown() throws {
        var follower = try PlayTracker(try Self.catalog())
        var changes = try follower.append(SyntheticMusic(seed: 999, duration: 60).buffer())
        changes += try follower.finish()
        #expect(changes.isEmpty)
    }
}
