import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import EarshotStations
import Foundation
import TestSupport
import Testing

@Suite struct LiveIndexTests {
    private let options = LiveIndex.Options(
        retention: MediaTime(value: 1_800, timescale: 1),
        partLength: MediaTime(value: 60, timescale: 1)
    )

    /// An index with half an hour, or as long as the signature is, of one channel.
    private func index(_ signature: Signature, channel: EntityID<BroadcastChannel> = "7") throws -> LiveIndex {
        let index = LiveIndex(options: options)
        for piece in try LiveSamples.pieces(signature) {
            let now = piece.start.addingTimeInterval(5)
            #expect(try index.append(piece, channel: channel, now: now) == .taken)
        }
        return index
    }

    @Test(
        "A recording is found behind its last piece, over the borders of parts too",
        arguments: [
            3.0, 55, 58, 61, 66, 118, 121, 150, 187,
        ]
    )
    func finding(begin: Double) throws {
        let signature = Signature.random(seed: 1, seconds: 200)
        let index = try index(signature)
        let query = LiveSamples.query(signature, from: begin, seconds: 12)
        let matches = try index.lookup(query, now: LiveSamples.date(begin + 12 + 40))
        #expect(matches.count == 1)
        let match = try #require(matches.first)
        #expect(match.channel == "7")
        #expect(abs(match.broadcast.timeIntervalSince(LiveSamples.date(begin))) < 0.05)
        #expect(abs(match.behindLive.seconds - 40) < 0.05)
        #expect(abs(match.speed - 1) < 0.01)
        #expect(match.confidence > 0.9)
    }

    @Test("Recordings of exactly 1 s and exactly 15 s are found, and those outside of that are refused")
    func lengths() throws {
        let signature = Signature.random(seed: 1, seconds: 60)
        let index = try index(signature)
        for seconds in [1.0, 15] {
            let matches = try index.lookup(
                LiveSamples.query(signature, from: 20, seconds: seconds),
                now: LiveSamples.date(60)
            )
            let match = try #require(matches.first, "\(seconds) s")
            #expect(abs(match.broadcast.timeIntervalSince(LiveSamples.date(20))) < 0.05)
        }
        for seconds in [0.998, 15.002] {
            let error = #expect(throws: EarshotError.self) {
                _ = try index.lookup(
                    LiveSamples.query(signature, from: 20, seconds: seconds),
                    now: LiveSamples.date(60)
                )
            }
            #expect(error?.message.contains("lasts \(seconds) s") == true, "\(error?.message ?? "")")
        }
    }

    @Test("The same programme on two channels is found on both, the same advert at both times")
    func several() throws {
        let signature = Signature.random(seed: 2, seconds: 60)
        let index = LiveIndex(options: options)
        for (channel, begin) in [("a", 0.0), ("b", 30.0), ("a", 400.0)] {
            for piece in try LiveSamples.pieces(signature, from: begin) {
                try index.append(piece, channel: EntityID(channel), now: LiveSamples.date(500))
            }
        }
        let matches = try index.lookup(
            LiveSamples.query(signature, from: 20, seconds: 10),
            now: LiveSamples.date(500)
        )
        let places = Set(
            matches.map { "\($0.channel) \(Int($0.broadcast.timeIntervalSince(LiveSamples.start).rounded()))" }
        )
        #expect(places == ["a 20", "b 50", "a 420"])
        #expect(try index.lookup(.random(seed: 3, seconds: 10), now: LiveSamples.date(500)).isEmpty)
    }

    @Test("Pieces may come any number of times, and late: what is known does not change")
    func idempotence() throws {
        let pieces = try LiveSamples.pieces(.random(seed: 4, seconds: 160))
        let plain = LiveIndex(options: options)
        for piece in pieces { try plain.append(piece, channel: "7", now: LiveSamples.date(160)) }
        let query = LiveSamples.query(.random(seed: 4, seconds: 160), from: 70, seconds: 9)
        let expected = try plain.lookup(query, now: LiveSamples.date(160))
        #expect(expected.count == 1)
        property("repeated pieces", rounds: 5) { generator in
            let index = LiveIndex(options: options)
            var next = 0
            while next < pieces.count {
                if next > 0, Int.random(in: 0..<3, using: &generator) == 0 {
                    let old = Int.random(in: 0..<next, using: &generator)
                    guard try index.append(pieces[old], channel: "7", now: LiveSamples.date(160)) == .known else {
                        return false
                    }
                } else {
                    guard try index.append(pieces[next], channel: "7", now: LiveSamples.date(160)) == .taken else {
                        return false
                    }
                    next += 1
                }
            }
            return try index.lookup(query, now: LiveSamples.date(160)) == expected
                && index.byteCount == plain.byteCount
        }
    }

    @Test("A piece that overlaps what is known is trimmed, one before a gap is late, old and future ones are refused")
    func acceptance() throws {
        let index = LiveIndex(options: options)
        let signature = Signature.random(seed: 5, seconds: 40)
        func piece(_ begin: Double, _ length: Double) throws -> LiveChunk {
            try LiveChunk(
                sequence: 0,
                start: LiveSamples.date(begin),
                signature: LiveSamples.query(signature, from: begin, seconds: length)
            )
        }
        func append(_ piece: LiveChunk, at now: Double = 40) throws -> LiveIndex.Acceptance {
            try index.append(piece, channel: "7", now: LiveSamples.date(now))
        }
        #expect(try append(piece(0, 10)) == .taken)
        #expect(try append(piece(6, 8)) == .trimmed)
        #expect(try append(piece(2, 8)) == .known)
        #expect(try append(piece(20, 8)) == .taken)
        #expect(try append(piece(14, 6)) == .known)
        #expect(try append(piece(30, 8), at: 5_000) == .expired)
        #expect(code { _ = try append(piece(30, 8), at: -100) } == .requestInvalid)
        #expect(code { try index.append(piece(30, 8), channel: "", now: LiveSamples.date(40)) } == .requestInvalid)
        let match = try index.lookup(
            LiveSamples.query(signature, from: 3, seconds: 11),
            now: LiveSamples.date(40)
        )
        #expect(match.count == 1)
    }

    @Test("What is older than the retention goes, and its memory with it")
    func retention() throws {
        let index = LiveIndex(
            options: LiveIndex.Options(
                retention: MediaTime(value: 300, timescale: 1),
                partLength: MediaTime(value: 60, timescale: 1)
            )
        )
        var sizes: [Int] = []
        for minute in 0..<40 {
            let signature = Signature.random(seed: UInt64(100 + minute), seconds: 60)
            for piece in try LiveSamples.pieces(signature, of: 10, from: Double(minute * 60)) {
                try index.append(piece, channel: "7", now: piece.start.addingTimeInterval(10))
            }
            sizes.append(index.byteCount)
        }
        #expect(try #require(sizes.suffix(20).max()) < 2 * (try #require(sizes.prefix(12).max())))
        let old = LiveSamples.query(.random(seed: 110, seconds: 60), from: 20, seconds: 10)
        let new = LiveSamples.query(.random(seed: 137, seconds: 60), from: 20, seconds: 10)
        #expect(try index.lookup(old, now: LiveSamples.date(2_400)).isEmpty)
        #expect(try index.lookup(new, now: LiveSamples.date(2_400)).count == 1)
        try index.remove("7")
        #expect(index.channels.isEmpty)
        #expect(try index.lookup(new, now: LiveSamples.date(2_400)).isEmpty)
    }

    @Test("A folder brings the hours back, without the files that are damaged")
    func folder() throws {
        let signature = Signature.random(seed: 6, seconds: 800)
        let first = try index(signature)
        let folder = LiveSamples.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try first.write(to: folder)
        try first.write(to: folder)
        let now = LiveSamples.date(800)
        let (second, notes) = LiveIndex.restore(from: folder, options: options, now: now)
        #expect(notes.isEmpty)
        #expect(second.channels == first.channels)
        for begin in [5.0, 58, 470, 600, 770] {
            let query = LiveSamples.query(signature, from: begin, seconds: 10)
            #expect(
                try second.lookup(query, now: now).map(\.broadcast) == first.lookup(query, now: now).map(\.broadcast)
            )
            #expect(try second.lookup(query, now: now).count == 1)
        }
        // A piece that was there before is known, the next goes on.
        let pieces = try LiveSamples.pieces(.random(seed: 6, seconds: 800))
        #expect(try second.append(pieces[199], channel: "7", now: now) == .known)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let url = folder.appendingPathComponent(name)
            var bytes = [UInt8](try Data(contentsOf: url))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: url)
            let (damaged, notes) = LiveIndex.restore(from: folder, options: options, now: now)
            #expect(notes.count == 1 && notes[0].contains(name))
            #expect(damaged.channels.count == 1)
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: url)
        }
        let (empty, none) = LiveIndex.restore(from: LiveSamples.folder(), options: options, now: now)
        #expect(empty.channels.isEmpty && none.isEmpty)
    }

    @Test("Audio that is given is found, and the guide says in what")
    func guide() async throws {
        let music = SyntheticMusic(seed: 7, duration: 40)
        let index = LiveIndex(options: options)
        for second in 0..<40 {
            try index.append(
                music.buffer(from: Double(second), seconds: 1),
                channel: "7",
                at: LiveSamples.date(Double(second)),
                now: LiveSamples.date(40)
            )
        }
        let query = try music.signature(from: 18, seconds: 10)
        let match = try #require(try index.lookup(query, now: LiveSamples.date(43)).first)
        #expect(abs(match.broadcast.timeIntervalSince(LiveSamples.date(18))) < 0.05)
        let store = MemoryGuideStore()
        let channel = BroadcastChannel(id: "7", name: Name("Seven"))
        let program = Program(id: "p", title: Name("News"))
        try await store.apply([
            .channel(channel), .program(program),
            .airing(
                Airing(
                    start: LiveSamples.date(-600),
                    end: LiveSamples.date(600),
                    channel: channel,
                    program: program
                )
            ),
        ])
        let answer = try #require(try await LiveIndex.airing(for: match, in: store))
        #expect(answer.title == "News")
        #expect(abs(try #require(answer.position) - 618_000) < 50)
        #expect(abs(try #require(answer.behindLive) - 15_000) < 50)
        #expect(try await LiveIndex.airing(for: match, in: MemoryGuideStore()) == nil)
    }
}
