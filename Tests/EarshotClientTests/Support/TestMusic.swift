import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport

@testable import EarshotClient

/// Three tracks of one album by one artist, with everything that can be known of them.
struct TestMusic: Sendable {
    static let shared = Task { try await TestMusic() }
    static let pieces = (1...3).map { SyntheticMusic(seed: UInt64($0), duration: $0 == 1 ? 80 : 30) }

    let store: SQLiteMusicStore
    let catalog: Catalog
    var service: LocalRecognitionService {
        LocalRecognitionService(music: store) { [catalog] (signature) throws(EarshotError) in
            try catalog.match(signature)
        }
    }

    private init() async throws {
        store = try SQLiteMusicStore.inMemory()
        var artist = Artist(id: "ar1", name: Name("The Tin Foxes"))
        artist.biography = Paragraphs(["eng": ["Born.", "Played.", "Went."]])
        artist.pictures = ["pa"]
        var album = Album(
            id: "al1",
            title: Name("Morning Rail"),
            credits: [ArtistCredit("The Tin Foxes", artist: "ar1")]
        )
        album.date = PartialDate("1999-05")
        album.review = Paragraphs(["eng": ["One.", "Two.", "Three."]])
        album.pictures = ["pc"]
        album.links = [ExternalLink(source: "shop", id: "007a")]
        album.media = [Album.Medium(position: 1, trackCount: 3)]
        var changes: [MusicChange] = [
            .picture(Picture(id: "pc", kind: .cover, mimeType: "image/png", width: 500, height: 480), Data([1, 2, 3])),
            .picture(Picture(id: "pa", kind: .artist, mimeType: "image/jpeg", width: 500, height: 300), Data([4, 5])),
            .artist(artist), .album(album),
        ]
        var catalog = Catalog()
        for (index, title) in ["Lantern", "Copper Wire", "Alone"].enumerated() {
            let id = "t\(index + 1)"
            var track = Track(
                id: EntityID(id),
                title: Name(title),
                credits: album.credits,
                place: Track.Place(album: "al1", number: index + 1)
            )
            track.links = [ExternalLink(source: "radio", id: "r\(index)")]
            changes.append(.track(track))
            try catalog.add(try Self.pieces[index].signature(), representing: [], id: ReferenceID(id))
        }
        var words = Lyrics(id: "w1", tracks: ["t1"], lines: [.init("Carry the lantern over the hill")])
        words.artist = "The Tin Foxes"
        changes.append(.lyrics(words))
        var loose = Lyrics(id: "w2", tracks: [], lines: [.init("Nobody knows this lantern of mine")])
        (loose.title, loose.artist) = ("Unknown", "Somebody Else")
        changes.append(.lyrics(loose))
        try await store.apply(changes)
        self.catalog = catalog
    }

    /// Samples of a track.
    static func samples(
        _ track: Int = 1,
        from start: Double = 0,
        seconds: Double = 7,
        rate: Int = 8_000,
        bytes: Int = 2
    ) throws -> PCMBuffer {
        let floats = pieces[track - 1].samples(from: start, seconds: seconds, sampleRate: rate)
        var data = Data()
        for sample in floats {
            switch bytes {
            case 1: data.append(UInt8(min(max((sample * 128).rounded() + 128, 0), 255)))
            case 2:
                let value = Int16(min(max((sample * 32_768).rounded(), -32_768), 32_767))
                withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
            default: withUnsafeBytes(of: sample.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return try PCMBuffer(data, bytesPerSample: bytes, channelCount: 1, sampleRate: rate)
    }

    /// Noise that is in no catalog.
    static func noise(seconds: Double = 7) -> PCMBuffer {
        var generator = SeededGenerator(seed: 99)
        let floats = (0..<Int(seconds * 8_000)).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
        return PCMBuffer(AudioBuffer(floats, sampleRate: 8_000))
    }
}

/// Sound that a test made, as a microphone or a file gives it: blocks of a tenth of a second.
final class TestSource: AudioSource {
    typealias Element = AudioBlock

    struct Read: Sendable {
        var frames = 0
        var isReleased = false
    }

    /// What was read of a source, and whether it is gone.
    final class Meter: Sendable {
        let read = Mutex(Read())
    }

    private let samples: [Float]
    private let rate: Int
    private let meter: Meter?
    private let before: (@Sendable (Int) async throws -> Void)?

    /// - Parameter before: Called before each block, with its number.
    init(
        _ samples: [Float],
        rate: Int,
        meter: Meter? = nil,
        before: (@Sendable (Int) async throws -> Void)? = nil
    ) {
        self.samples = samples
        self.rate = rate
        self.meter = meter
        self.before = before
    }

    deinit { meter?.read.withLock { $0.isReleased = true } }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    struct Iterator: AsyncIteratorProtocol {
        let source: TestSource
        var frame = 0
        var number = 0

        mutating func next() async throws -> AudioBlock? {
            try await source.before?(number)
            number += 1
            guard frame < source.samples.count else { return nil }
            let end = Swift.min(frame + source.rate / 10, source.samples.count)
            defer { frame = end }
            source.meter?.read.withLock { [frame] in $0.frames += end - frame }
            let buffer = AudioBuffer(Array(source.samples[frame..<end]), sampleRate: source.rate)
            return AudioBlock(buffer, at: MediaTime(frames: Int64(frame), sampleRate: source.rate))
        }
    }

    /// A microphone that hears a track for ten seconds.
    static func microphone(
        track: Int = 1,
        from start: Double = 10,
        meter: Meter? = nil,
        before: (@Sendable (Int) async throws -> Void)? = nil
    ) -> RecognitionClient.Microphone {
        {
            TestSource(
                TestMusic.pieces[track - 1].samples(from: start, seconds: 10, sampleRate: 8_000),
                rate: 8_000,
                meter: meter,
                before: before
            )
        }
    }
}
