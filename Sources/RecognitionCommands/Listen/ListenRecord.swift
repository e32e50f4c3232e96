import CommandKit
import Earshot
import Foundation

/// A line of JSON about something that was heard.
struct ListenRecord: Encodable {
    private let schemaVersion = ResultSchema.version
    private let event: String
    /// The time of the event: in seconds of the sound; if `nil`, `at` is the time by the clock.
    private var time: Double?
    private var at: String?
    private var changes: [String]?
    private var movedBy: Double?
    private var matches: [MatchRecord]?
    private var catalog: String?
    private var error: ErrorRecord?
    private var reason: String?
    private var reference: String?
    private var entry: TimedEntry?
    private var part: String?
    private var startsIn: Double?
    private var seconds: Double?
    private var format: String?

    private init(_ event: String, at time: MediaTime?) {
        self.event = event
        self.time = time.map { ResultSchema.rounded($0.seconds) }
        if time == nil { at = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
    }

    init(_ event: SessionEvent, at time: MediaTime?) {
        switch event {
        case .matched(let match, let changes):
            self.init("match", at: time)
            self.changes = changes.map(Self.name)
            for case .moved(let distance) in changes { movedBy = ResultSchema.rounded(distance.seconds) }
            matches = MatchRecord.records(match)
            catalog = match.catalog.id
        case .lost(let match):
            self.init("lost", at: time)
            matches = MatchRecord.records(match)
        case .notMatched: self.init("noMatch", at: time)
        case .failed(let error, _):
            self.init("error", at: time)
            self.error = ErrorRecord(error)
            seconds = error.deviation.map { ResultSchema.rounded($0.seconds) }
        }
    }

    init(_ change: TimedContentScheduler.Event, at time: MediaTime?) {
        switch change.event {
        case .entered: self.init("entered", at: time)
        case .partShown(_, let part):
            self.init("partShown", at: time)
            self.part = part.id
        case .answerOpened: self.init("answerOpened", at: time)
        case .answerClosed: self.init("answerClosed", at: time)
        case .left: self.init("left", at: time)
        case .upcoming(_, let remaining):
            self.init("upcoming", at: time)
            startsIn = ResultSchema.rounded(remaining.seconds)
        }
        reference = change.id.rawValue
        entry = change.event.entry
    }

    init(_ event: CaptureEvent) {
        switch event {
        case .started(let format):
            self.init("started", at: nil)
            self.format = "\(format)"
        case .interrupted(let reason):
            self.init("interrupted", at: nil)
            self.reason = reason.rawValue
        case .resumed: self.init("resumed", at: nil)
        case .deviceLost: self.init("deviceLost", at: nil)
        case .deviceBack: self.init("deviceBack", at: nil)
        case .overload(let lost):
            self.init("overload", at: nil)
            seconds = ResultSchema.rounded(lost.seconds)
        case .ended: self.init("ended", at: nil)
        }
    }

    private static func name(_ change: MatchChange) -> String {
        switch change {
        case .appeared: "appeared"
        case .returned: "returned"
        case .moved: "moved"
        case .items: "items"
        case .entries: "entries"
        case .corrected: "corrected"
        case .confirmed: "confirmed"
        }
    }
}
