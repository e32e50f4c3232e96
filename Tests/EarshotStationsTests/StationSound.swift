import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSignatures
import EarshotStations
import Foundation
import TestSupport

/// Made-up music for stations, a catalog of it, and what a tracker makes of a timeline.
enum StationSound {
    static let rate = 16_000
    static let evening = Date(timeIntervalSince1970: 1_777_660_200)
    static let channel = PlayChannel(id: "one", name: "Radio One")
    static let songs: [String: [Float]] = [
        "amber": SyntheticMusic(seed: 101, duration: 80).samples(),
        "birch": SyntheticMusic(seed: 202, duration: 80).samples(),
        "chime": SyntheticMusic(seed: 303, duration: 10).samples(),
    ]
    static let whole = Result { try catalog() }

    static func catalog(without left: String? = nil) throws -> Catalog {
        var catalog = Catalog()
        for (name, samples) in songs.sorted(by: { $0.key < $1.key }) where name != left {
            var properties: [MediaItemKey: PropertyValue] = [
                .title: .string(name.capitalized), .artist: .string("The Tin Foxes"), "label": .string("Rail"),
            ]
            if name == "amber" { properties["callerRef"] = .string("A-1") }
            try catalog.add(
                Signature.of(samples),
                representing: [MediaItem(properties: properties)],
                id: ReferenceID(name)
            )
        }
        return catalog
    }

    static func song(_ name: String, _ range: Range<Double>? = nil) -> [Float] {
        let samples = songs[name] ?? []
        guard let range else { return samples }
        return Array(samples[Int(range.lowerBound * Double(rate))..<Int(range.upperBound * Double(rate))])
    }

    /// One behind the other, each fading into the next for some seconds.
    static func crossfade(_ first: [Float], _ second: [Float], seconds: Double) -> [Float] {
        let overlap = Int(seconds * Double(rate))
        var mixed = first + second.dropFirst(overlap)
        for index in 0..<overlap {
            let share = Float(index) / Float(overlap)
            mixed[first.count - overlap + index] =
                first[first.count - overlap + index] * (1 - share) + second[index] * share
        }
        return mixed
    }

    static func silence(_ seconds: Double) -> [Float] { [Float](repeating: 0, count: Int(seconds * Double(rate))) }

    static func instant(_ seconds: Double) -> StationInstant {
        StationInstant(
            date: evening.addingTimeInterval(seconds),
            uptime: MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
        )
    }

    static func tracker(_ options: StationTracker.Options = .init()) throws -> StationTracker {
        try StationTracker(channel: channel, catalog: whole.get(), options: options)
    }
}

/// A station as it is fed, and the log that comes of it.
struct StationRun {
    var tracker: StationTracker
    var log: [EntityID<PlayRecord>: PlayRecord] = [:]
    var outputs: [StationTracker.Output] = []
    /// Now, in seconds since the evening began, and the source's own time.
    var now = 0.0
    var sourceTime = 0.0

    init(_ tracker: StationTracker) { self.tracker = tracker }

    /// Hears samples as they come, in blocks of half a second.
    mutating func play(_ samples: [Float]) throws {
        let size = StationSound.rate / 2
        for start in stride(from: 0, to: samples.count, by: size) {
            let part = Array(samples[start..<min(samples.count, start + size)])
            let length = Double(part.count) / Double(StationSound.rate)
            now += length
            let time = MediaTime(seconds: sourceTime, preferredTimescale: Int32(StationSound.rate))
            let block = AudioBlock(AudioBuffer(part, sampleRate: StationSound.rate), at: time)
            sourceTime += length
            take(try tracker.append(block, at: StationSound.instant(now)))
        }
    }

    mutating func lose(for seconds: Double) throws {
        take(try tracker.lost(at: StationSound.instant(now)))
        for _ in 0..<Int(seconds / 5) {
            now += 5
            take(try tracker.tick(at: StationSound.instant(now)))
        }
        now += seconds.truncatingRemainder(dividingBy: 5)
        sourceTime = 0
    }

    mutating func finish() throws { take(try tracker.finish(at: StationSound.instant(now))) }

    mutating func take(_ new: [StationTracker.Output]) {
        outputs += new
        for output in new {
            switch output {
            case .record(let record): log[record.id] = record
            case .withdrawal(let record): log[record.id] = nil
            default: break
            }
        }
    }

    var records: [PlayRecord] { log.values.sorted { $0.start < $1.start } }
    var gaps: [StreamGap] { outputs.compactMap { if case .gap(let gap) = $0 { gap } else { nil } } }
    var names: [String] { records.map { $0.referenceID?.rawValue ?? "" } }
    /// Begins and ends in seconds since the evening began.
    var spans: [(Double, Double)] {
        records.map {
            ($0.start.timeIntervalSince(StationSound.evening), $0.end.timeIntervalSince(StationSound.evening))
        }
    }
}
