import Dispatch
import EarshotCatalogs
import EarshotCore
import EarshotDSP
import EarshotSignatures
import Synchronization

/// Runs a stream matcher on a queue of its own: a search takes milliseconds, and Swift's few shared threads and the
/// thread of an audio device must not wait for it.
///
/// Unchecked, because the compiler cannot see that `matcher` and `gate` are touched on `queue` only.
final class SessionEngine: @unchecked Sendable {
    private let queue = DispatchQueue(label: "earshot.session", qos: .userInitiated)
    private let options: MatchSession.Options
    private let current: Mutex<Catalog>
    private let waiting = Mutex(Waiting())
    private var matcher: StreamMatcher?
    private var gate: RepeatSuppressor
    private var isNewCatalog = false

    private struct PushedBuffer: TimedAudio {
        let buffer: AudioBuffer
        let time: MediaTime?

        var duration: MediaTime { buffer.duration }
    }

    /// Buffers that were pushed and not looked at yet.
    private struct Waiting {
        var backlog = AudioBacklog<PushedBuffer>(capacity: MatchSession.backlog, droppedShare: 1)
        var dropped = MediaTime.zero
    }

    init(_ catalog: Catalog, options: MatchSession.Options) {
        current = Mutex(catalog)
        self.options = options
        gate = RepeatSuppressor(filter: options.repeats)
    }

    var clock: MediaClock { options.clock }

    var catalog: Catalog { current.withLock { $0 } }

    func replace(_ catalog: Catalog) {
        current.withLock { $0 = catalog }
        queue.async { [self] in isNewCatalog = true }
    }

    func reset() {
        waiting.withLock { $0 = Waiting() }
        queue.async { [self] in
            matcher = nil
            gate = RepeatSuppressor(filter: options.repeats)
        }
    }

    // MARK: - Streams

    /// Looks at a buffer and says what there is to say.
    func process(_ buffer: AudioBuffer, at time: MediaTime?) async -> [SessionEvent] {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: look(at: buffer, time)) }
        }
    }

    /// The same without waiting.
    func enqueue(
        _ buffer: AudioBuffer,
        at time: MediaTime?,
        _ deliver: @escaping @Sendable ([SessionEvent]) -> Void
    ) {
        waiting.withLock { waiting in
            waiting.dropped += waiting.backlog.appendDroppingOldest(PushedBuffer(buffer: buffer, time: time))
        }
        queue.async { [self] in
            let (next, dropped) = waiting.withLock { waiting in
                defer { waiting.dropped = .zero }
                return (waiting.backlog.popFirst(), waiting.dropped)
            }
            var events: [SessionEvent] = []
            if dropped > .zero { events.append(overload(dropped)) }
            if let next { events += look(at: next.buffer, next.time) }
            if !events.isEmpty { deliver(events) }
        }
    }

    private func overload(_ dropped: MediaTime) -> SessionEvent {
        let lost = (dropped.seconds * 10).rounded() / 10
        let error = EarshotError(
            .audioDiscontinuity,
            "\(lost) s of audio were dropped because matching is slower than the audio arrives: push less audio at once.",
            deviation: dropped
        )
        return .failed(error, SignatureGenerator().signature())
    }

    /// The last seconds of the stream.
    func query() async -> Signature {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(returning: matcher?.tail.signature ?? SignatureGenerator().signature())
            }
        }
    }

    private func look(at buffer: AudioBuffer, _ time: MediaTime?) -> [SessionEvent] {
        do {
            let events = try ready { matcher in matcher.append(buffer, at: time) }
            return events.filter { gate.passes($0) }
        } catch {
            return [.failed(error, SignatureGenerator().signature())]
        }
    }

    private func ready<Value>(
        _ body: (inout StreamMatcher) -> Value
    ) throws(EarshotError) -> Value {
        var matcher: StreamMatcher
        if let known = self.matcher {
            matcher = known
            // One holder only: what it holds is changed in place.
            self.matcher = nil
            if isNewCatalog {
                do throws(EarshotError) {
                    try matcher.replace(catalog)
                } catch {
                    // The old one goes on.
                    self.matcher = matcher
                    isNewCatalog = false
                    throw error
                }
            }
        } else {
            matcher = try StreamMatcher(catalog, clock: options.clock, keptAudio: options.keptAudio.seconds)
        }
        isNewCatalog = false
        defer { self.matcher = matcher }
        return body(&matcher)
    }

    // MARK: - Refinement

    func capture(of id: ReferenceID) async -> StreamMatcher.Capture? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: matcher?.capture(of: id)) }
        }
    }

    func correct(_ id: ReferenceID, to exact: ReferenceAlignment) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { [self] in
                matcher?.correct(id, to: exact)
                continuation.resume()
            }
        }
    }

    // MARK: - One signature

    func result(from signature: Signature) async -> MatchSession.Result {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: answer(signature)) }
        }
    }

    func match(_ signature: Signature, _ deliver: @escaping @Sendable (SessionEvent) -> Void) {
        queue.async { [self] in
            switch answer(signature) {
            case .match(let match): deliver(.matched(match, [.appeared]))
            case .noMatch(let signature): deliver(.notMatched(signature))
            case .error(let error, let signature): deliver(.failed(error, signature))
            }
        }
    }

    private func answer(_ signature: Signature) -> MatchSession.Result {
        do throws(EarshotError) {
            guard let match = try catalog.match(signature) else { return .noMatch(signature) }
            return .match(match)
        } catch {
            return .error(error, signature)
        }
    }

    /// Runs something when all that was given so far has been looked at.
    func afterAll(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
