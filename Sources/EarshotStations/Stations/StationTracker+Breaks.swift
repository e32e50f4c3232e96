import EarshotBroadcast
import EarshotCatalogs
import EarshotClassification
import EarshotCore
import Foundation

extension StationTracker {
    /// Removes and returns the audio since the last call, with dates.
    mutating func takeHeard() -> [(buffer: AudioBuffer, date: Date)] {
        defer { heardNow = [] }
        return heardNow.map { ($0.buffer, date($0.begin)) }
    }

    /// Returns `true` if a block is, or may be, the first of a connection: the first block, one after a break, and one
    /// at which a source that reconnects by itself continues at a later time.
    func isConnection(_ block: AudioBlock) -> Bool {
        guard lost == nil, let expected, block.time.isNumeric else { return lost != nil || time == .zero }
        return (block.time - expected).seconds > 0.25
    }

    /// Processes the audio that was held back.
    mutating func arrive() throws(EarshotError) -> [Output] {
        var held = arrival
        arrival = BlockArrivalTimer()
        guard let first = held.blocks.first else { return [] }
        let (surplus, length) = (held.surplus, first.block.buffer.duration.seconds)
        held.straighten()
        var outputs: [Output] = []
        var gone: Double?
        if let loss = lost {
            gone = self.gone(loss, until: first.instant, length) - surplus
        } else if let expected, first.block.time.isNumeric {
            // By the wall clock: the source's own times count audio that was sent at once as elapsed time.
            var missed = first.instant.date.timeIntervalSince(date(time.seconds)) - length
            let jump = (first.block.time - expected).seconds
            if abs(missed - jump) > 60 { missed = jump }
            missed -= surplus
            clock.disconnect(at: time.seconds)
            if missed >= options.shortestGap {
                outputs += loseWithin(missed)
            } else if missed > 0.01 {
                outputs += try hear(silence(missed))
            }
            gone = missed
            self.expected = nil
        }
        if let gone, gone < 0 { held.drop(min(-gone, surplus)) }
        for (index, one) in held.blocks.enumerated() {
            outputs += try take(one.block, at: one.instant, gone: index == 0 ? gone.map { max(0, $0) } : nil)
        }
        return outputs
    }

    /// Starts a gap that the source's own times show.
    mutating func loseWithin(_ seconds: Double) -> [Output] {
        let start = date(time.seconds)
        let gap = StreamGap(channel: channel, start: start)
        lost = Loss(gap: gap, uptime: nil, isTold: true)
        lostWithin = seconds
        return [.gap(gap), .streamLost(gap)]
    }

    func elapsed(_ loss: Loss, _ instant: StationInstant) -> Double {
        if let uptime = loss.uptime { return max(0, (instant.uptime - uptime).seconds) }
        return min(Self.longestBreak, max(0, instant.date.timeIntervalSince(loss.gap.start)))
    }

    mutating func noteBreak(_ loss: Loss) {
        let begin = time.seconds - loss.skipped
        let reason: PlayEndReason = loss.gap.reason == .monitorStopped ? .monitorStopped : .streamLost
        guard breaks.last.map({ $0.begin < begin - 0.01 }) ?? true else { return }
        breaks.append(Break(begin: begin, reason: reason))
        let old = begin - 3 * options.following.patience.seconds - 900
        breaks.removeAll { $0.begin < old }
    }

    /// Returns the time without audio until audio arrived at an instant, in seconds.
    func gone(_ loss: Loss, until instant: StationInstant, _ length: Double) -> Double {
        if let lostWithin { return lostWithin }
        if case .since = options.dates { return 0 }
        let gone = instant.date.timeIntervalSince(loss.gap.start) - length
        // The wall clock may have been set in the meantime.
        guard let uptime = loss.uptime, abs(gone - (instant.uptime - uptime).seconds) > 60 else { return gone }
        return (instant.uptime - uptime).seconds
    }

    mutating func comeBack(
        _ block: AudioBlock,
        at instant: StationInstant,
        gone known: Double?
    ) throws(EarshotError) -> [Output] {
        guard let loss = lost else { return [] }
        noteBreak(loss)
        var gone = known ?? gone(loss, until: instant, block.buffer.duration.seconds)
        (lost, lostWithin) = (nil, nil)
        gone = min(gone, Self.longestBreak)
        let rest = max(0, gone - loss.skipped)
        let changes = try follower.skip(MediaTime(seconds: rest, preferredTimescale: 1_000))
        analyzer.skip()
        analyzerBase = time.seconds - analyzer.time.seconds
        var outputs = settle(changes)
        guard loss.isTold || gone >= options.shortestGap else { return outputs }
        var gap = loss.gap
        // Late audio was not missed. If it arrives at once, the difference is some milliseconds.
        gap.end = gap.start.addingTimeInterval(gone < Self.shortestLoss ? 0 : gone)
        if !loss.isTold { outputs.append(.streamLost(loss.gap)) }
        return outputs + [.gap(gap), .streamBack(gap)]
    }

    func silence(_ seconds: Double) -> AudioBuffer {
        AudioBuffer([Float](repeating: 0, count: max(1, Int(seconds * Double(rate)))), sampleRate: rate)
    }
}
