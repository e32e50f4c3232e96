import Earshot
import TestSupport

/// What a microphone hears in the tests of the guides: pieces of made-up music and silence, as fast as it is read. A clock
/// that is given shows how much has been read.
struct GuideSound: AudioSource {
    typealias Element = AudioBlock

    static let rate = 16_000
    static let piece = SyntheticMusic(seed: 71, duration: 40)
    static let signature = Result { try piece.signature() }

    private(set) var samples: [Float] = []
    var clock: ManualClock?
    /// Time that is missing before the second half.
    var gap = MediaTime.zero

    mutating func play(from start: Double, seconds: Double) {
        samples += Self.piece.samples(from: start, seconds: seconds, sampleRate: Self.rate)
    }

    mutating func silence(_ seconds: Double) {
        samples += [Float](repeating: 0, count: Int(seconds * Double(Self.rate)))
    }

    /// A catalog of the piece, called "Lesson", with content that belongs to it.
    static func catalog(_ content: Timeline? = nil) throws -> Catalog {
        var catalog = Catalog()
        let item = try MediaItem(properties: [.title: "Lesson"]).with(timeline: content)
        try catalog.add(try signature.get(), representing: [item], id: "lesson")
        return catalog
    }

    func makeAsyncIterator() -> Iterator { Iterator(sound: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sound: GuideSound
        var start = 0

        mutating func next() async throws -> AudioBlock? {
            let end = Swift.min(start + GuideSound.rate / 10, sound.samples.count)
            guard start < end else { return nil }
            defer { start = end }
            let time = MediaTime(frames: Int64(start), sampleRate: GuideSound.rate)
            let isLate = start >= sound.samples.count / 2
            sound.clock?.advance(by: Double(end - start) / Double(GuideSound.rate))
            let buffer = AudioBuffer(Array(sound.samples[start..<end]), sampleRate: GuideSound.rate)
            return AudioBlock(buffer, at: isLate ? time + sound.gap : time)
        }
    }
}
