import BenchmarkSupport
import Earshot
import EarshotCore
import Foundation
import Synchronization

/// Audio in memory as a source, in blocks as a microphone gives them, with a clock that goes by the audio.
struct Feed: AudioSource {
    typealias Element = AudioBlock
    /// Samples in a block: 100 ms.
    static let blockSize = Recording.sampleRate / 10

    /// A clock that shows how much audio has been read.
    final class Clock: Sendable {
        private let time = Mutex(MediaTime.zero)
        var now: MediaTime { time.withLock { $0 } }
        func set(_ now: MediaTime) { time.withLock { $0 = now } }
        var clock: MediaClock { MediaClock(read: { self.now }, wait: { _ in }) }
    }

    let recording: Recording
    let clock: Clock
    /// The time of the first sample, in samples.
    var start = 0

    func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

    struct Iterator: AsyncIteratorProtocol {
        let feed: Feed
        var position = 0

        mutating func next() async throws -> AudioBlock? {
            let piece = feed.recording.piece(from: position, count: Feed.blockSize)
            guard !piece.samples.isEmpty else { return nil }
            let time = MediaTime(frames: Int64(feed.start + position), sampleRate: Recording.sampleRate)
            position += piece.samples.count
            feed.clock.set(MediaTime(frames: Int64(feed.start + position), sampleRate: Recording.sampleRate))
            return AudioBlock(AudioBuffer(piece.samples, sampleRate: Recording.sampleRate), at: time)
        }
    }
}
