import EarshotBroadcast
import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotMusic
import EarshotSignatures
import EarshotStations
import Foundation
import TestSupport
import Testing

@Suite struct RepeatFinderTests {
    private let options = RepeatFinder.Options(leastDistance: MediaTime(value: 60, timescale: 1))

    /// Signatures one after the other.
    private func joined(_ parts: [Signature]) -> Signature {
        var (landmarks, duration): ([Landmark], MediaTime) = ([], .zero)
        for part in parts {
            let begin = UInt32(duration.seconds * 500)
            landmarks += part.landmarks.map {
                Landmark(time: $0.time + begin, frequency: $0.frequency, tier: $0.tier)
            }
            duration = duration + part.duration
        }
        return Signature(configuration: .standard, duration: duration, landmarks: landmarks)
    }

    /// Gives a channel to a finder in pieces of ten seconds.
    private func feed(
        _ finder: RepeatFinder,
        _ signature: Signature,
        channel: EntityID<BroadcastChannel> = "7",
        from begin: Double = 0,
        explained: [Range<Double>] = []
    ) throws {
        for piece in try LiveSamples.pieces(signature, of: 10, from: begin) {
            let offset = piece.start.timeIntervalSince(LiveSamples.start) - begin
            let parts = explained.map {
                max(0, min(10, $0.lowerBound - offset))..<max(0, min(10, $0.upperBound - offset))
            }
            try finder.append(
                channel: channel,
                signature: piece.signature,
                at: piece.start,
                explained: parts.filter { !$0.isEmpty }.map {
                    LiveSamples.seconds($0.lowerBound)..<LiveSamples.seconds($0.upperBound)
                },
                kind: .speech
            )
        }
    }

    private func random(_ seed: UInt64, _ seconds: Int) -> Signature { .random(seed: seed, seconds: seconds) }

    /// An advert of 17 s at 133 s and 530 s of a channel of 700 s.
    private var broadcast: Signature {
        joined([random(1, 133), random(50, 17), random(2, 380), random(50, 17), random(3, 153)])
    }

    @Test("An advert is found with its begin and end, count, channels and kind")
    func advert() throws {
        let finder = RepeatFinder(options: options)
        try feed(finder, broadcast)
        try finder.finish(channel: "7")
        let found = finder.repeats
        #expect(found.count == 1)
        let audio = try #require(found.first)
        #expect(audio.count == 2 && audio.channels == ["7"] && audio.kind == .speech)
        #expect(abs(audio.length.seconds - 17) < 0.3)
        let begins = audio.occurrences.map { $0.start.timeIntervalSince(LiveSamples.start) }
        for (begin, place) in zip(begins, [133.0, 530]) { #expect(abs(begin - place) < 0.3) }
        #expect(audio.firstHeard < audio.lastHeard)
        // Heard again on another channel it is the same.
        try feed(finder, joined([random(4, 40), random(50, 17), random(5, 63)]), channel: "8", from: 2_000)
        try finder.finish(channel: "8")
        let again = try #require(finder.repeats.first)
        #expect(finder.repeats.count == 1 && again.id == audio.id)
        #expect(again.count == 3 && again.channels == ["7", "8"])
    }

    @Test("What is given twice counts once")
    func twice() throws {
        let finder = RepeatFinder(options: options)
        try feed(finder, broadcast)
        try feed(finder, broadcast)
        try finder.finish(channel: "7")
        #expect(finder.repeats.map(\.count) == [2])
    }

    @Test("What references explain is not looked at")
    func explained() throws {
        let finder = RepeatFinder(options: options)
        try feed(finder, broadcast, explained: [525..<550])
        try finder.finish(channel: "7")
        #expect(finder.repeats.isEmpty)
    }

    @Test("What is named or dismissed is not offered again, and a name gives what a catalog takes")
    func naming() throws {
        let finder = RepeatFinder(options: options)
        try feed(finder, broadcast)
        try finder.finish(channel: "7")
        let id = try #require(finder.repeats.first).id
        let named = try finder.name(id, try MediaItem(properties: [.title: "Soap"]))
        var catalog = Catalog()
        try catalog.add(named.signature, representing: [named.item], id: named.id)
        let query = random(50, 17).slice(from: LiveSamples.seconds(3), duration: LiveSamples.seconds(8)).signature
        #expect(try catalog.match(query)?.mediaItems.first?.title == "Soap")
        try feed(finder, joined([random(4, 40), random(50, 17), random(5, 63)]), channel: "8", from: 2_000)
        try finder.finish(channel: "8")
        #expect(finder.repeats.isEmpty)
        #expect(code { try finder.dismiss("repeat-99") } == .entityNotFound)
    }

    private func bed(_ kind: Int) -> Signature {
        switch kind {
        case 0:
            // A loop of two seconds, twenty times.
            return joined([Signature](repeating: random(60, 2), count: 20))
        case 1:
            var tones: [Landmark] = []
            for index in 0..<1_200 {
                let time = UInt32(index * 16 + 7 * (index % 3))
                tones.append(Landmark(time: time, frequency: UInt16(400 * (index % 3) + 300), tier: 0))
            }
            return Signature(
                configuration: .standard,
                duration: MediaTime(value: 40, timescale: 1),
                landmarks: tones.sorted()
            )
        case 2: return random(61, 3)
        default:
            return Signature(configuration: .standard, duration: MediaTime(value: 30, timescale: 1), landmarks: [])
        }
    }

    @Test("Tones, steady beds, short sounds and silence that repeat are refused", arguments: [0, 1, 2, 3])
    func plain(kind: Int) throws {
        let bed = bed(kind)
        let finder = RepeatFinder(options: options)
        try feed(finder, joined([random(1, 100), bed, random(2, 200), bed, random(3, 100)]))
        try finder.finish(channel: "7")
        #expect(finder.repeats.isEmpty)
    }

    @Test("Music that goes on under speech is told, with the speech left out of its extents")
    func ident() throws {
        // The second time half of the landmarks are covered.
        let jingle = random(70, 12)
        let covered = Signature(
            configuration: .standard,
            duration: jingle.duration,
            landmarks: (jingle.landmarks.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                + random(71, 12).landmarks.filter { $0.tier < 2 }).sorted()
        )
        let finder = RepeatFinder(options: options)
        try feed(finder, joined([random(1, 100), jingle, random(2, 300), covered, random(3, 100)]))
        try finder.finish(channel: "7")
        #expect(finder.repeats.map(\.count) == [2])
    }

    @Test("A folder brings all back after any append, as after the end of the process")
    func restoring() throws {
        let folder = LiveSamples.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pieces = try LiveSamples.pieces(broadcast, of: 10)
        var finders: [RepeatFinder] = []
        for (index, piece) in pieces.enumerated() {
            // Now and then a new finder takes over, as if the process had ended behind a piece.
            if index % 14 == 0 || index == 54 {
                let (finder, notes) = try RepeatFinder.open(folder, options: options)
                #expect(notes.isEmpty)
                finders.append(finder)
            }
            try finders.last?.append(channel: "7", signature: piece.signature, at: piece.start)
        }
        let (finder, _) = try RepeatFinder.open(folder, options: options)
        try finder.finish(channel: "7")
        let audio = try #require(finder.repeats.first)
        #expect(finder.repeats.count == 1 && audio.count == 2)
        #expect(abs(audio.length.seconds - 17) < 0.3)
        try finder.dismiss(audio.id)
        let (after, _) = try RepeatFinder.open(folder, options: options)
        #expect(after.repeats.isEmpty)
        // Damage is named and left out.
        try Data("{".utf8).write(to: folder.appendingPathComponent("groups.json"))
        let (_, notes) = try RepeatFinder.open(folder, options: options)
        #expect(notes.count == 1 && notes[0].contains("groups.json"))
    }

    @Test("What is old is forgotten")
    func retention() throws {
        let options = RepeatFinder.Options(
            retention: MediaTime(value: 3_600, timescale: 1),
            leastDistance: MediaTime(value: 60, timescale: 1)
        )
        let finder = RepeatFinder(options: options)
        try feed(finder, broadcast)
        try finder.finish(channel: "7")
        #expect(finder.repeats.count == 1)
        var largest = 0
        for hour in 1..<5 {
            try feed(finder, random(UInt64(200 + hour), 1_200), from: Double(hour) * 3_600)
            largest = max(largest, finder.byteCount)
        }
        #expect(finder.repeats.isEmpty)
        #expect(largest < 2_000_000)
    }
}
