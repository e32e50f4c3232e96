public import EarshotCore
import EarshotSignatures
import Foundation

extension PlayTracker {
    /// Audio of a stream before a break. Positions are in steps of the stream.
    struct Past: Sendable {
        let signature: Signature
        let start: Int
        let end: Int
    }

    /// The state that another process needs to continue a tracker: the running plays and the landmarks of the window.
    public struct State: Sendable, Codable {
        /// The duration of the stream so far.
        public var time: MediaTime { PlayTracker.time(end) }

        let end: Int
        let count: Int
        let open: [ActivePlay.Saved]
        let closed: [ActivePlay.Saved]
        /// The landmarks, as in a signature file.
        let past: Data
        let pastStart: Int
    }

    /// The state to save in order to continue later. It takes about 30 kB for a window of two minutes.
    public var state: State {
        let past = recent()
        return State(
            end: end,
            count: count,
            open: open.map(ActivePlay.Saved.init),
            closed: closed.map(ActivePlay.Saved.init),
            past: past.signature.thinned(to: parameters.queryDensity).data,
            pastStart: past.start
        )
    }

    /// Continues the work of another tracker. No play is detected until ``skip(_:)`` tells how long the stream was not
    /// tracked, even if that is zero.
    ///
    /// - Parameters:
    ///   - catalog: The catalog, which may have changed.
    ///   - options: The options of the tracker that was saved.
    ///   - state: The saved state.
    /// - Throws: `catalogInvalid` if the catalog is damaged, `signatureInvalid` if the state is damaged.
    public init(_ catalog: Catalog, options: Options = Options(), restoring state: State) throws(EarshotError) {
        try self.init(catalog, options: options)
        let longest = Self.steps(MediaTime(value: Int64(Int32.max), timescale: 1))
        guard (0...longest).contains(state.end), state.pastStart <= state.end, state.pastStart >= 0,
            state.count >= 0, (state.open + state.closed).allSatisfy(\.isPlausible)
        else {
            throw EarshotError(.signatureInvalid, "The saved state of the play tracker is damaged: start without it.")
        }
        let signature = try Signature(data: state.past)
        restart(at: state.end)
        count = max(state.count, (state.open + state.closed).map(\.number).max() ?? 0)
        open = state.open.map { restored($0) }
        closed = state.closed.map { restored($0) }
        past = Past(signature: signature, start: state.pastStart, end: state.end)
        let life = min(signature.duration, Self.time(Self.seedLife))
        let last = signature.slice(from: signature.duration - life, duration: life)
        for slice in last.signature.slices(duration: options.slice, stride: options.stride) {
            let begin = state.pastStart + Self.steps(last.offset + slice.offset)
            search(slice.signature, begin..<begin + Self.steps(slice.signature.duration), isExplained: false)
        }
    }

    private func restored(_ saved: ActivePlay.Saved) -> ActivePlay {
        let items = targets.location(of: saved.id).flatMap { targets[$0.segment].segment.items($0.reference) }
        return ActivePlay(saved, items: items ?? [])
    }
}
