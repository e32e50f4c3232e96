import CommandKit
import Earshot
import Foundation
import Synchronization

/// Tells what is heard: lines of text with a live line below them on a terminal, or JSON lines.
final class ListenReport: Sendable {
    private struct State {
        var line: ListenLine
        var drawnAt = MediaTime.negativeInfinity
        var isDrawn = false
    }

    private let isJSON: Bool
    private let isLive: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isJSON: `true` for output that programs read.
    ///   - timelines: Content of references whose items have none of their own.
    init(isJSON: Bool, timelines: [ReferenceID: Timeline]) {
        self.isJSON = isJSON
        state = Mutex(State(line: ListenLine(timelines: timelines)))
        isLive = !isJSON && Terminal.showsProgress
    }

    // MARK: - Events

    /// An event of the session, at a time of the sound, or now.
    func session(_ event: SessionEvent, at time: MediaTime?) {
        state.withLock { $0.line.take(event) }
        if isJSON { return json(ListenRecord(event, at: time)) }
        switch event {
        case .matched(let match, let changes):
            for (index, record) in MatchRecord.records(match).enumerated() {
                let what = index == 0 ? Self.wording(changes) : "  also"
                print("\(what) \(MatchText(record).sentence)", at: time)
            }
        case .lost(let match):
            let names = MatchRecord.records(match).map { MatchText($0).name }.joined(separator: ", ")
            print("no longer \(names)", at: time)
        case .notMatched: print(Terminal.dim("nothing matched"), at: time)
        case .failed(let error, _): print("error: \(error.message)", at: time)
        }
    }

    /// An event of timed content.
    func content(_ change: TimedContentScheduler.Event, at time: MediaTime?) {
        state.withLock { $0.line.take(change.event) }
        if isJSON { return json(ListenRecord(change, at: time)) }
        let entry = change.event.entry
        switch change.event {
        case .entered: print("  > \(Terminal.bold(entry.title))", at: time)
        case .partShown(_, let part): print("    \(part.title ?? part.id)", at: time)
        case .answerOpened: print("    \(Terminal.bold("answer now"))", at: time)
        case .answerClosed: print(Terminal.dim("    time for the answer is over"), at: time)
        case .left: print(Terminal.dim("  < \(entry.title)"), at: time)
        case .upcoming(_, let remaining):
            print(Terminal.dim("    in \(DisplayText.length(remaining)): \(entry.title)"), at: time)
        }
    }

    /// An event of the source.
    func capture(_ event: CaptureEvent) {
        if isJSON { return json(ListenRecord(event)) }
        switch event {
        case .started(let format): print(Terminal.dim("listening: \(format)"), at: nil)
        case .interrupted(let reason): print("the source is silent (\(reason.rawValue)); waiting for it", at: nil)
        case .resumed: print("the source is back", at: nil)
        case .deviceLost: print("the device is gone; waiting for it", at: nil)
        case .deviceBack: print("the device is back", at: nil)
        case .overload(let lost):
            print("\(DisplayText.length(lost)) of sound were lost: the machine is too busy", at: nil)
        case .ended: print(Terminal.dim("the source has ended"), at: nil)
        }
    }

    /// Shows the level of the sound in the live line, at most ten times a second.
    func level(_ peak: Double, until time: MediaTime) {
        guard isLive else { return }
        state.withLock { state in
            state.line.take(peak: peak)
            let now = MediaClock.system.now
            guard now - state.drawnAt >= MediaTime(value: 1, timescale: 10) else { return }
            state.drawnAt = now
            state.isDrawn = true
            Terminal.write("\r" + state.line.text(width: Terminal.width) + "\u{1B}[K", to: .standardError)
        }
    }

    /// Takes the live line away.
    func end() {
        state.withLock { state in
            if state.isDrawn { Terminal.write("\r\u{1B}[K", to: .standardError) }
            state.isDrawn = false
        }
    }

    // MARK: - Lines

    private func print(_ text: String, at time: MediaTime?) {
        end()
        let stamp = time.map { DisplayText.position($0) } ?? Self.clockTime()
        Terminal.print(Terminal.dim(stamp) + " " + text)
    }

    private func json(_ record: ListenRecord) {
        guard let line = try? JSON.line(record) else { return }
        Terminal.print(line)
    }

    private static func clockTime() -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second, .nanosecond], from: Date())
        return String(
            format: "%02d:%02d:%02d.%d",
            parts.hour ?? 0,
            parts.minute ?? 0,
            parts.second ?? 0,
            (parts.nanosecond ?? 0) / 100_000_000
        )
    }

    private static func wording(_ changes: [MatchChange]) -> String {
        switch changes.first {
        case .appeared, nil: "heard"
        case .returned: "again"
        case .moved(let distance):
            (distance < .zero ? "back by " : "ahead by ")
                + DisplayText.length(distance < .zero ? .zero - distance : distance)
                + ":"
        case .items, .entries: "now"
        case .corrected: "at second thought"
        case .confirmed: "still"
        }
    }
}
