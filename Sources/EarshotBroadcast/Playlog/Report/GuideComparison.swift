import EarshotCore
import EarshotMusic
package import Foundation

/// A comparison of a channel's log with the program guide.
package struct GuideComparison: Hashable, Sendable, Codable {
    /// The result for an announced program.
    package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was heard, and began within two minutes of the announced time.
        case onTime
        /// It was heard, but began earlier or later.
        case moved
        /// Another program was heard for more than half of the time.
        case replaced
        /// The channel was heard, but no program was identified. Songs and spots alone do not identify a program.
        case unconfirmed
        /// The channel was heard for at most a tenth of the time.
        case unheard
        /// It has not begun yet.
        case ahead
    }

    /// An announced program.
    package struct Entry: Hashable, Sendable, Codable {
        /// The start by the guide.
        package var start: Date
        /// The end by the guide.
        package var end: Date
        /// The title in the guide.
        package var title: String
        /// The subtitle in the guide; `nil` if there is none.
        package var subtitle: String?
        /// The result.
        package var outcome: Outcome
        /// The start as it was heard; `nil` if the program was not identified.
        package var heardStart: Date?
        /// The end as it was heard; `nil` if the program was not identified.
        package var heardEnd: Date?
        /// The time for which the channel was heard between the announced times, in seconds.
        package var heardSeconds = 0.0
        /// The number of songs that began between the announced times.
        package var songs = 0
        /// The number of advertisements and jingles that began between the announced times.
        package var spots = 0
        /// The titles of other programs that were heard, at most three.
        package var others: [String] = []
    }

    /// The largest deviation of the start from the announced time of a program that is on time, in seconds.
    static let tolerance = 120.0
    /// The time before and after the announced times in which a program is searched for, in seconds.
    private static let reach = 5_400.0

    /// The announced programs, in order of their start.
    package var entries: [Entry]
    /// Programs that were heard but are not in the guide.
    package var unannounced: [PlayRecord]

    /// Compares a channel's log with its guide.
    ///
    /// - Parameters:
    ///   - airings: The announced programs of the channel.
    ///   - plays: The plays of the channel, from 1.5 hours before the first airing to 1.5 hours after the last.
    ///   - gaps: The gaps of the channel.
    ///   - heard: The intervals in which the channel was monitored; empty for a log that has none.
    ///   - now: The current time.
    package init(airings: [Airing], plays: [PlayRecord], gaps: [StreamGap], heard: [DetectedInterval], now: Date) {
        let programmes = plays.filter { $0.kind == .programme }
        let airings = airings.sorted { $0.start < $1.start }
        var found: [Int: [PlayRecord]] = [:]
        var unannounced: [PlayRecord] = []
        for play in programmes {
            let candidates = airings.indices.filter { Self.isSame(airings[$0], play) && Self.isNear(airings[$0], play) }
            let nearest = candidates.min { left, right in
                abs(airings[left].start.timeIntervalSince(play.start))
                    < abs(airings[right].start.timeIntervalSince(play.start))
            }
            if let nearest { found[nearest, default: []].append(play) } else { unannounced.append(play) }
        }
        self.unannounced = unannounced
        entries = airings.enumerated().map { index, airing in
            Self.entry(airing, found[index] ?? [], programmes, plays, gaps, heard, now)
        }
    }

    private static func entry(
        _ airing: Airing,
        _ found: [PlayRecord],
        _ programmes: [PlayRecord],
        _ plays: [PlayRecord],
        _ gaps: [StreamGap],
        _ heard: [DetectedInterval],
        _ now: Date
    ) -> Entry {
        let span = airing.start..<max(airing.start, min(airing.end, now))
        var entry = Entry(
            start: airing.start,
            end: airing.end,
            title: airing.program.title.text,
            subtitle: airing.program.subtitle?.text,
            outcome: .ahead
        )
        guard airing.start < now else { return entry }
        let lost = InstantSet(gaps.map { InstantSet.clipped($0.start, $0.end ?? now, to: span) })
        let known = plays.map { InstantSet.clipped($0.start, $0.end, to: span) }
        let listened = InstantSet(heard.map { InstantSet.clipped($0.start, $0.end, to: span) } + known)
        entry.heardSeconds = listened.subtracting(lost).seconds
        for play in plays where span.contains(play.start) {
            switch play.kind {
            case .song, .songUnderSpeech: entry.songs += 1
            case .advertisement, .jingle: entry.spots += 1
            default: break
            }
        }
        let others = programmes.filter { play in
            !isSame(airing, play) && !InstantSet.clipped(play.start, play.end, to: span).isEmpty
        }
        entry.others = others.compactMap(\.title).reduce(into: []) { titles, title in
            if !titles.contains(title), titles.count < 3 { titles.append(title) }
        }
        let length = span.upperBound.timeIntervalSince(span.lowerBound)
        if let start = found.map(\.start).min(), let end = found.map(\.end).max() {
            (entry.heardStart, entry.heardEnd) = (start, end)
            entry.outcome = abs(start.timeIntervalSince(airing.start)) <= tolerance ? .onTime : .moved
        } else if InstantSet(others.map { InstantSet.clipped($0.start, $0.end, to: span) }).seconds > length / 2 {
            entry.outcome = .replaced
        } else {
            entry.outcome = entry.heardSeconds > length / 10 ? .unconfirmed : .unheard
        }
        return entry
    }

    /// Returns `true` if a play is the announced program, by an identifier or by its title.
    private static func isSame(_ airing: Airing, _ play: PlayRecord) -> Bool {
        let program = airing.program
        let names = [play.workID, play.referenceID?.rawValue].compactMap(\.self)
        if names.contains(where: { $0 == program.id.rawValue || $0 == program.work?.id.rawValue }) { return true }
        guard let title = play.title.map({ SearchText($0).bare }), !title.isEmpty else { return false }
        return program.title.spellings.contains { SearchText($0).bare == title }
    }

    private static func isNear(_ airing: Airing, _ play: PlayRecord) -> Bool {
        play.start < airing.end.addingTimeInterval(reach) && play.end > airing.start.addingTimeInterval(-reach)
    }
}
