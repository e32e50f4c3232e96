import EarshotCatalogs
import EarshotCore
import EarshotSessions

/// Recognizes audio that something else captures, such as the audio engine of an app.
///
/// It takes buffers of any rate from 8,000 to 192,000 Hz as they come and says what is heard in them. It opens no device and needs
/// no FFmpeg.
final class BufferMatcher: Sendable {
    enum Event: Sendable {
        /// A reference of the catalog is heard. Its position runs on by itself until the next event.
        case heard(MatchedMediaItem)
        /// Nothing that the catalog knows is heard, or not any longer.
        case nothing
        /// A buffer cannot be used, or audio is missing. Matching goes on with the next buffer.
        case failed(EarshotError)
    }

    private let session: MatchSession

    init(catalog: Catalog) { session = MatchSession(catalog: catalog) }

    /// The events from now on. Ask for them before the first buffer.
    var events: some AsyncSequence<Event, Never> & Sendable {
        session.events.compactMap { @Sendable event in
            switch event {
            case .matched(let match, _): match.mediaItems.first.map { .heard($0) }
            case .lost, .notMatched: .nothing
            case .failed(let error, _): .failed(error)
            }
        }
    }

    /// Takes the next samples and returns at once, on any thread.
    ///
    /// Of audio that comes faster than it can be looked at, what is more than 10 s behind is dropped.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples; full scale is 1.
    ///   - sampleRate: Frames a second, in hertz. It may change, as when headphones are plugged in.
    ///   - channelCount: Samples in one frame, 1 to 8.
    ///   - time: The time of the first frame, if it is known: a gap is then told from what follows on.
    func take(_ samples: [Float], sampleRate: Double, channelCount: Int = 1, at time: MediaTime? = nil) {
        // A rate that no device has, as of an input that is being changed, is refused by the session.
        let rate = Int(exactly: sampleRate.rounded()) ?? 0
        let whole = samples.prefix(samples.count / max(1, channelCount) * max(1, channelCount))
        let buffer = AudioBuffer(Array(whole), sampleRate: rate, channelCount: max(1, channelCount))
        session.matchStreamingBuffer(buffer, at: time)
    }

    /// Takes samples where an audio engine has them; they are copied.
    func take(
        _ samples: UnsafeBufferPointer<Float>,
        sampleRate: Double,
        channelCount: Int = 1,
        at time: MediaTime? = nil
    ) {
        take(Array(samples), sampleRate: sampleRate, channelCount: channelCount, at: time)
    }

    /// Ends the events once all audio was looked at.
    func finish() { session.finish() }
}
