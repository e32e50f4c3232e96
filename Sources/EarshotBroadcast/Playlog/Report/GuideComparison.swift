import EarshotCore
import EarshotMusic
package import Foundation

/// A span of a channel's log beside the programme guide: what was announced, and what was heard of it.
package struct GuideComparison: Hashable, Sendable, Codable {
    /// The result for an announced programme.
    package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was heard, and began within two minutes of the time announced.
        case onTime
        /// It was heard, and began earlier or later.
        case moved
        /// Another programme was heard for more than half of the time.
        case replaced
        /// The channel was heard, and no programme was identified: songs and spots alone do not tell.
        case unconfirmed
        /// The channel was not heard, or for less than a tenth of the time.
        case unheard
        /// It has not begun yet.
        case ahead
    }

    /// An announced programme.
    package struct Entry: Hashable, Sendable, Codable {
        /// The beginning by the guide.
        package var start: Date
        /// The end by the guide.
        package var end: Date
        /// The title by the guide.
        package var title: String
        /// The subtitle by the guide; `nil` if there is none.
        package var subtitle: String?
        /// The result.
        package var outcome: Outcome
        /// The beginning as it was heard; `nil` if the programme was not identified.
        package var heardStart: Date?
        /// The end as it was heard; `nil` if the programme was not identified.
        package var heardEnd: Date?
        /// Seconds in which the channel was heard between the times announced.
        package var heardSeconds = 0.0
        /// Songs that began between the times announced.
        package var songs = 0
        /// Advertisements and jingles that began between the times announced.
        package var spots = 0
        /// Titles of other programmes that were heard, at most three.
        package var others: [String] = []
    }

    /// The most seconds between the time announced and the time heard of a programme that counts as on time.
    static let tolerance = 120.0
    /// Seconds before and after the time announced in which a programme is looked for.
    private static let reach = 5_400.0

    /// The announced programmes, in order of beginnings.
    package var entries: [Entry]
    /// Programmes that were heard and that the guide does not announce.
    package var unannounced: [PlayRecord]

    /// Compares a channel's log with its guide.
    ///
    /// - Parameters:
    ///   - airings: The announced programmes of the channel.
    ///   - plays: The plays of the channel, from an hour and a half before the first airing to as long after the last.
    ///   - gaps: The gaps of the channel.
    ///   - heard: The intervals in which the channel was listened to; empty for a log that has none.
    ///   - now: The present instant.
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

    /// Returns whether a play is of the announced programme: by an identifier, or by its title.
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
