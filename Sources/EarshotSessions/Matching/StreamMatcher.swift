import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation

/// Matches a stream of audio: finds what it plays, follows it, and notices when it jumps, changes or ends.
///
/// A pure state machine: what it says depends on the audio, its times and the clock readings it is given. Every quarter of a
/// second of audio it looks at the last seconds. As long as nothing is known it searches the catalog, with windows that
/// grow with the audio heard; what was found is then weighed on its line, which is cheap, and searched for elsewhere in
/// the same reference when it does not fit there, which finds a seek within some one and a half seconds.
struct StreamMatcher: Sendable {
    /// Seconds between looks.
    static let tick = MediaTime(value: 1, timescale: 4)
    /// Seconds of audio that are kept, unless the catalog's shortest query is longer.
    private static let memory = 16.0

    private(set) var catalog: Catalog
    private(set) var follower: AlignmentTracker
    let clock: MediaClock
    let parameters: StreamParameters
    private var window = SignatureWindow(stride: StreamMatcher.tick)
    var captured = CaptureClock()
    /// The buffered audio, for positions more exact than those of landmarks.
    private(set) var audio: AudioHistory
    var tracks: [TrackedReference] = []
    var acquisition = Acquisition(from: 0)
    /// The time of the last search for other references beside a track, in seconds.
    var refreshedAt = 0.0
    /// The last seconds of the stream, as of the present look.
    private(set) var tail = StreamTail(SignatureGenerator().signature(), from: 0)

    init(
        _ catalog: Catalog,
        clock: MediaClock,
        keptAudio: Double = 0,
        parameters: StreamParameters = StreamParameters()
    ) throws(EarshotError) {
        self.catalog = catalog
        audio = AudioHistory(seconds: keptAudio)
        self.clock = clock
        self.parameters = parameters
        follower = try AlignmentTracker(catalog)
    }

    /// The duration of the stream so far, in seconds.
    var end: Double { window.end.seconds }

    /// Goes on with another catalog. References that it has too are followed without a break.
    mutating func replace(_ catalog: Catalog) throws(EarshotError) {
        follower = try AlignmentTracker(catalog)
        self.catalog = catalog
        tracks = tracks.compactMap { track in
            var track = track
            return track.alignment.renew(follower) ? track : nil
        }
        acquisition.restart(at: end)
    }

    /// Takes the next buffer.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - time: The time of its first frame, on a timeline of the caller's choice; `nil` if it is not known.
    /// - Returns: The events, in order.
    mutating func append(_ buffer: AudioBuffer, at time: MediaTime?) -> [SessionEvent] {
        var events: [SessionEvent] = []
        let rate = max(1, buffer.sampleRate)
        var first = 0
        var time = time
        repeat {
            let part = window.part(of: buffer, from: first)
            events += take(part, at: time)
            time = nil
            first += part.frameCount
            // A look at a later piece of one buffer happens when all of it is there.
            captured.note(
                end + Double(buffer.frameCount - first) / Double(rate),
                arrivedAt: clock.now
            )
            if window.completesStride() { events += look() }
        } while first < buffer.frameCount
        if window.isExpired { restart(at: window.end) }
        return events
    }

    private mutating func take(_ buffer: AudioBuffer, at time: MediaTime?) -> [SessionEvent] {
        do {
            try window.append(buffer, at: time)
            audio.append(buffer)
            return []
        } catch {
            let heard = window.tail(catalog.queryLimits.maximum).signature
            guard error.code == .audioDiscontinuity else { return [.failed(error, heard)] }
            skip(error.deviation)
            // The query begins again with this buffer; what it cannot use now it could not before.
            try? window.append(buffer, at: time?.isNumeric == true ? time : nil)
            audio.append(buffer)
            return [.failed(Self.jump(error), heard)]
        }
    }

    /// A break in the times of a stream, as who feeds it reads of it: nothing has to be done for the session to go on.
    private static func jump(_ error: EarshotError) -> EarshotError {
        let seconds = ((error.deviation ?? .zero).seconds * 1000).rounded() / 1000
        let what =
            seconds > 0 ? "\(seconds) s of the audio are missing" : "The times of the audio went back by \(-seconds) s"
        return EarshotError(
            .audioDiscontinuity,
            "\(what): the query restarts. If no audio is missing, check the times of the buffers.",
            position: error.position,
            deviation: error.deviation
        )
    }

    /// Goes on behind a gap or a step back. What was followed is looked for again where the times say that it is, but can
    /// no longer be relied on.
    private mutating func skip(_ deviation: MediaTime?) {
        restart(at: window.end + (deviation ?? .zero))
        captured.reset()
        refreshedAt = min(refreshedAt, end)
        for index in tracks.indices { tracks[index].doubt(untilHeardAfter: end) }
    }

    private mutating func restart(at time: MediaTime) {
        window.restart(at: time)
        audio.reset()
        acquisition.restart(at: end)
        tail = StreamTail(window.signature(), from: end)
    }

    private mutating func look() -> [SessionEvent] {
        let memory = max(Self.memory, catalog.queryLimits.minimum.seconds)
        let last = window.tail(MediaTime(seconds: memory, preferredTimescale: 1_000))
        window.forget(before: last.start)
        tail = StreamTail(last.signature, from: last.start.seconds)
        var events = follow()
        events += acquire()
        return events
    }
}
