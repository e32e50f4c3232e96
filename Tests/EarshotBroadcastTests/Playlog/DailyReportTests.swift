import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Daily reports")
struct DailyReportTests {
    private static let day = PlayDay("2026-05-01") ?? PlayDay(of: PlaylogSamples.evening)
    /// Seconds from ``PlaylogSamples/evening`` to the end of the day.
    private static let midnight = 19_799.75

    @Test("Days have 23, 24 or 25 hours, and hold the instants between their ends")
    func days() throws {
        let zones = try ["Europe/Vienna", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo"].map {
            try #require(TimeZone(identifier: $0))
        }
        let vienna = zones[0]
        let lengths = ["2026-03-29", "2026-05-01", "2026-10-25"].compactMap(PlayDay.init).map { day in
            let span = day.span(in: vienna)
            return span.upperBound.timeIntervalSince(span.lowerBound) / 3_600
        }
        #expect(lengths == [23, 24, 25])
        property("PlayDay") { generator in
            let zone = zones.randomElement(using: &generator) ?? .gmt
            let instant = PlaylogTime.date(Int64.random(in: 0..<2_000_000_000_000, using: &generator))
            let day = PlayDay(of: instant, in: zone)
            let span = day.span(in: zone)
            let isNext = PlayDay(of: span.upperBound, in: zone) > day
            return span.contains(instant) && isNext && PlayDay(day.description) == day
        }
        #expect(PlayDay("2026-05") == nil && PlayDay("2026-02-30") == nil && PlayDay("") == nil)
    }

    private static func store() async throws -> MemoryPlaylogStore {
        let store = MemoryPlaylogStore()
        var paused = PlaylogSamples.full
        paused.playedDuration = 90
        try await store.put([
            paused, PlaylogSamples.play("lantern", on: "two", at: 60, for: 100),
            // A minute before midnight and two behind it.
            PlaylogSamples.play("late", at: midnight - 60, for: 180),
            PlaylogSamples.play("early", on: "two", at: midnight - 86_400 - 30, for: 60, kind: .jingle),
            PlaylogSamples.play(nil, on: "two", at: 300, for: 100, kind: .unknown),
            PlaylogSamples.play("next", at: midnight, for: 10),
        ])
        let start = PlaylogSamples.evening.addingTimeInterval(3_600)
        let channel = PlaylogSamples.channel()
        try await store.put([
            StreamGap(channel: channel, start: start, end: start.addingTimeInterval(3_600)),
            StreamGap(channel: channel, start: start.addingTimeInterval(1_800), end: start.addingTimeInterval(5_400)),
            StreamGap(channel: channel, start: PlaylogSamples.evening.addingTimeInterval(midnight - 100)),
        ])
        // A monitor listened all the time.
        let whole = PlaylogSamples.evening.addingTimeInterval(-200_000)
        try await store.note(
            [channel, PlaylogSamples.channel("two")].map { channel in
                DetectedInterval(channel: channel, start: whole, end: whole.addingTimeInterval(400_000))
            }
        )
        return store
    }

    @Test("Time counts as heard while a monitor listened, and never before or behind that")
    func listening() async throws {
        let store = MemoryPlaylogStore()
        let channel = PlaylogSamples.channel()
        let midnight = Self.day.span().lowerBound
        func stretch(_ begin: Double, _ end: Double) -> DetectedInterval {
            DetectedInterval(
                channel: channel,
                start: midnight.addingTimeInterval(begin),
                end: midnight.addingTimeInterval(end)
            )
        }
        // From the day before until one o'clock, and an hour in the morning with a gap of ten minutes.
        try await store.note([stretch(-3_600, 1_800), stretch(36_000, 39_600)])
        try await store.note([stretch(-3_600, 3_600)])
        let gap = midnight.addingTimeInterval(36_600)
        try await store.put(StreamGap(channel: channel, start: gap, end: gap.addingTimeInterval(600)))
        try await store.put(StreamGap(channel: channel, start: midnight.addingTimeInterval(50_000)))
        let report = try await store.dailyReport(Self.day)
        #expect(report.channels.map(\.heardSeconds) == [3_600 + 3_000])
        let next = try await store.dailyReport(try #require(PlayDay("2026-05-02")))
        #expect(next.heardSeconds == 0)

        // A log in which nobody noted it: from the first play to the last.
        let old = MemoryPlaylogStore()
        try await old.put([PlaylogSamples.play("a", at: 0, for: 60), PlaylogSamples.play("b", at: 600, for: 60)])
        #expect(try await old.dailyReport(Self.day).heardSeconds == 660)
        #expect(try await old.dailyReport(Self.day).text().contains("2 plays, 0:11:00 heard"))
        let one = MemoryPlaylogStore()
        try await one.put([PlaylogSamples.play("a", at: 0, for: 60)])
        #expect(try await one.dailyReport(Self.day).text().contains("\n1 play, "))
    }

    @Test("Totals count a play on the day on which it begins and its seconds where they fall")
    func totals() async throws {
        let report = try await Self.store().dailyReport(Self.day)
        #expect(report.channels.map(\.channel.id) == ["one", "two"])
        #expect(report.total.plays == 4)
        #expect(report.channels.map(\.total.plays) == [2, 2])
        #expect(report.channels.map { $0.total.seconds.rounded() } == [150, 230])
        #expect(report.references.map(\.id) == ["lantern", "late", "early"])
        #expect(report.references.map(\.total.plays) == [2, 1, 0])
        #expect(report.references.map { $0.total.seconds.rounded() } == [190, 60, 30])
        #expect(report.references[0].channels == ["one", "two"])
        #expect(report.kinds.map(\.kind) == [.song, .jingle, .unknown])
        // Gaps that overlap are lost once; the last goes on to the end of the day and over a play.
        #expect(report.channels.map(\.heardSeconds) == [86_400 - 5_400 - 100, 86_400])
        #expect(report.channels.map(\.identifiedSeconds) == [180, 130])
        #expect(report.gaps.count == 3 && report.gaps[2].end == nil)
        #expect(report.references[0].total.first == PlaylogSamples.evening)
        // What is counted once is counted on one of the two days.
        let next = try await Self.store().dailyReport(try #require(PlayDay("2026-05-02")))
        #expect(next.total.plays == 1 && next.total.seconds.rounded() == 130)
    }

    @Test("Days together hold every play once and every second once, in any zone")
    func partition() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        property("DailyReport", rounds: 100) { generator in
            let records = (0..<20).compactMap { _ in
                PlaylogSamples.play(
                    "r\(Int.random(in: 0..<4, using: &generator))",
                    at: Double.random(in: -200_000...200_000, using: &generator),
                    for: Double.random(in: 0...100_000, using: &generator)
                )
                .checked().record
            }
            var plays = 0
            var seconds = 0.0
            var day = PlayDay(of: PlaylogSamples.evening - 300_000, in: zone)
            while day.span(in: zone).lowerBound < PlaylogSamples.evening + 400_000 {
                var builder = DailyReport.Builder(day, in: zone)
                for record in records { builder.add(record) }
                let report = builder.report()
                guard report.references.reduce(0, { $0 + $1.total.plays }) == report.total.plays else { return false }
                plays += report.total.plays
                seconds += report.total.seconds
                day = PlayDay(of: day.span(in: zone).upperBound, in: zone)
            }
            let whole = records.reduce(0) { $0 + $1.playedDuration }
            return plays == records.count && abs(seconds - whole) < 1e-3
        }
    }

    @Test("A report is a text, a table and JSON")
    func writing() async throws {
        let report = try await Self.store().dailyReport(Self.day, channels: [PlaylogSamples.channel()])
        let text = report.text(limit: 1)
        #expect(text.hasPrefix("Plays of 2026-05-01 (UTC)\n\n2 plays, 22:28:20 heard, 0.2 % of it identified\n"))
        #expect(
            text.contains("\nThe Tin Foxes - Lantern      1  0:01:30         1  18:30:00  18:30:00\n… and 1 more\n")
        )
        #expect(text.contains("goes on") == false && report.text().contains("goes on"))
        let rows = CSV.rows(report.csv())
        #expect(rows.allSatisfy { $0.count == DailyReport.columns.count })
        #expect(
            rows.dropFirst().map { $0[2] } == [
                "total", "channel", "kind", "reference", "reference", "gap", "gap", "gap",
            ]
        )
        #expect(rows[4][7] == "'=station 4")
        let read = try PlaylogJSON.decode(DailyReport.self, from: report.json())
        #expect(read == report)
    }

    @Test("A day that is not over is reported until now; a channel without plays is there")
    func unfinished() async throws {
        let now = PlaylogSamples.evening.addingTimeInterval(90)
        let store = try await Self.store()
        let report = try await store.dailyReport(Self.day, channels: [PlaylogSamples.channel("none")], until: now)
        #expect(report.channels.map(\.total.plays) == [0])
        #expect(report.channels[0].heardSeconds == 0)
        #expect(report.identifiedShare == nil)
        let whole = try await store.dailyReport(Self.day, channels: [PlaylogSamples.channel("two")], until: now)
        #expect(whole.channels[0].heardSeconds == 18.5 * 3_600 + 90.25)
        #expect(try await store.dailyReport(Self.day, until: now).total.plays == 2)
    }
}
