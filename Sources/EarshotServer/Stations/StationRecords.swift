import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotStations
import Foundation

/// A play as pages show it.
struct LoggedPlay: Encodable, Sendable {
    let id: String
    /// The id of the station; `nil` in the record of a station.
    let station: String?
    let start: Date
    /// The end of the play so far.
    let end: Date
    /// `true` if it is in progress.
    let isOpen: Bool
    let kind: String
    let title: String?
    let artist: String?
    let album: String?
    let reference: String?
    /// The duration that was heard, without pauses, in seconds.
    let played: Double
    let confidence: Double?
    let endReason: String?

    init(_ record: PlayRecord, withStation: Bool = false) {
        id = record.id.rawValue
        station = withStation ? record.channel.id.rawValue : nil
        (start, end, isOpen) = (record.start, record.end, record.state == .provisional)
        (kind, title, artist, album) = (record.kind.rawValue, record.title, record.artist, record.album)
        (reference, played, confidence) = (record.referenceID?.rawValue, record.playedDuration, record.confidence)
        endReason = record.endReason?.rawValue
    }
}

/// A break of a station.
struct StationBreak: Encodable, Sendable {
    let start: Date
    /// The end; `nil` while it goes on.
    let end: Date?
    let reason: String

    init(_ gap: StreamGap) { (start, end, reason) = (gap.start, gap.end, gap.reason.rawValue) }
}

/// A program by the guide.
struct StationAiring: Encodable, Sendable {
    let start: Date
    let end: Date
    let title: String
    let subtitle: String?

    init(_ airing: Airing) {
        (start, end) = (airing.start, airing.end)
        (title, subtitle) = (airing.program.title.text, airing.program.subtitle?.text)
    }
}

/// A span of time of a station.
struct StationSpan: Encodable, Sendable {
    let start: Date
    let end: Date
}

/// The present state of a station.
struct StationRecord: Encodable, Sendable {
    let id: String
    let name: String
    let timeZone: String
    /// `true` if the monitor runs and audio arrives.
    let isLive: Bool
    let lostSince: Date?
    /// The level of the last second, in dBFS.
    let level: Double?
    /// The kind of audio.
    let kind: String?
    let fault: String?
    /// The plays that are in progress; during a break, those from before it.
    let playing: [LoggedPlay]
    /// The present program by the guide; `nil` if there is none.
    let now: StationAiring?
    /// The next program by the guide, within a day; `nil` if there is none.
    let next: StationAiring?
    /// The last break in which audio was missed, within a week; `nil` if there is none.
    let lastBreak: StationBreak?
    /// The plays of the last hour, the oldest first.
    let recent: [LoggedPlay]
}

/// The present state of all stations.
struct StationList: Encodable, Sendable {
    /// The state of the monitor.
    enum Monitor: String, Encodable, Sendable, CaseIterable {
        case running, ended, neverStarted
    }

    let date: Date
    let monitor: Monitor
    /// The time at which the monitor last reported its state.
    let monitorDate: Date?
    /// The number of the last change of the log.
    let sequence: Int
    let timeZone: String
    let stations: [StationRecord]
}

/// A day of a station.
struct StationDay: Encodable, Sendable {
    let id: String
    let name: String
    let timeZone: String
    let day: String
    /// The first instant of the day.
    let start: Date
    /// The first instant of the next day.
    let end: Date
    let date: Date
    let sequence: Int
    let plays: [LoggedPlay]
    let breaks: [StationBreak]
    /// The intervals in which the station was monitored.
    let heard: [StationSpan]
    let guide: [StationAiring]
}

/// A song, or another thing that a reference stands for, with the totals of its plays.
struct PlayedSong: Encodable, Sendable {
    let reference: String
    let title: String?
    let artist: String?
    let kind: String
    let plays: Int
    /// The total duration that was heard, in seconds.
    let seconds: Double
    /// The number of stations.
    let stations: Int
    let first: Date
    let last: Date
}
