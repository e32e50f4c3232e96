import EarshotBroadcast
import EarshotCore
import EarshotMedia
import EarshotMonitor
import EarshotMusic
import EarshotRecognition

/// What the app knows and shows: a value that events change, each of which may bring lines to print.
struct Screen: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// The monitor says something of itself.
        case status(StatusEvent)
        /// A lookup is over.
        case result(MonitorResult)
        /// Something happened to the microphone.
        case microphone(Microphone.Event)
        /// More is known of what a lookup found first.
        case details(lookup: Int, Result<Details, EarshotError>)
    }

    /// What is heard.
    enum Hearing: String, Sendable {
        case nothing, sound, silence
    }

    /// Whether all that the monitor says is shown.
    let isVerbose: Bool
    private(set) var hearing = Hearing.nothing
    /// The last result with a match.
    private(set) var result: MonitorResult?
    /// The first match of it: what secondary queries ask about.
    private(set) var kept: MonitorMatch?
    /// The number of the lookup that first found what is kept now.
    private(set) var since: Int?
    /// How many results there were, and with how many of them something was found.
    private(set) var (results, hits) = (0, 0)

    init(isVerbose: Bool = false) { self.isVerbose = isVerbose }

    /// Takes note of an event.
    ///
    /// - Returns: The lines to print.
    mutating func apply(_ event: Event) -> [String] {
        switch event {
        case .status(let event): return status(event)
        case .result(let result): return found(result)
        case .microphone(let event): return ["microphone: \(event)"]
        case .details(let lookup, let details):
            // What comes too late is about something that is no longer on.
            guard lookup == since else { return [] }
            switch details {
            case .success(let details): return details.lines.map { "    " + $0 }
            case .failure(let error): return ["    no details: \(error.message)"]
            }
        }
    }

    private mutating func status(_ event: StatusEvent) -> [String] {
        let place = Self.place(event.time)
        switch event.kind {
        case .audioStarted:
            hearing = .sound
            return ["\(place)  listening: \(event.text ?? "")"]
        case .audioStopped:
            hearing = .nothing
            return ["\(place)  no sound comes"]
        case .silent:
            guard hearing != .silence else { return verbose(event) }
            hearing = .silence
            return ["\(place)  it is silent"]
        case .audible:
            hearing = .sound
            return ["\(place)  sound again"]
        case .noMatchModeEntered: return ["\(place)  nothing known for long: asking less often"]
        case .noMatchModeLeft: return ["\(place)  asking as often as before"]
        case .error: return ["\(place)  \(event.text ?? "something failed")"]
        // Also what a later version of the monitor may say.
        default: return verbose(event)
        }
    }

    private func verbose(_ event: StatusEvent) -> [String] {
        guard isVerbose else { return [] }
        let hundredths = (event.value * 100).rounded() / 100
        let words = [event.kind.rawValue, event.value == 0 ? nil : "\(hundredths)", event.text]
        return ["\(Self.place(event.time))  " + words.compactMap(\.self).joined(separator: " ")]
    }

    private mutating func found(_ result: MonitorResult) -> [String] {
        results += 1
        let place = Self.place(result.capturedAt)
        guard let first = result.matches.first else {
            // Of a lookup that failed nobody knows whether something else is on.
            if result.error == nil { (self.result, kept, since) = (nil, nil, nil) }
            return result.error == nil ? ["\(place)  nothing that is known"] : []
        }
        hits += 1
        if kept.map(Self.content) != Self.content(first) { since = result.lookup }
        (self.result, kept) = (result, first)
        return result.matches.enumerated().map { "\(place)  \($1.line($0 + 1))" }
    }

    /// What tells one thing from another: identifiers, for titles differ from language to language. A title counts only
    /// where there is nothing else.
    private static func content(_ match: MonitorMatch) -> [String?] {
        let ids = [
            match.customData?.identifier, match.work?.id.rawValue, match.airing?.program.id.rawValue,
            match.music?.track.id?.rawValue,
        ]
        return ids.contains { $0 != nil } ? ids : [match.title]
    }

    private static func place(_ time: MediaTime) -> String { PositionText.clock(Int(time.seconds * 1_000)) }
}
