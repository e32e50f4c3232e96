import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotStations
import Foundation

/// Reads the log and the states of a station monitor, and the program guide.
actor StationService {
    /// The most plays of a day in an answer: one every four seconds.
    private static let dayLimit = 21_600
    /// The age up to which a break is shown in the list, in seconds.
    private static let breakMemory = 7 * 86_400.0
    /// The time span in which the guide is searched for the next program, in seconds.
    private static let guideReach = 86_400.0

    let sources: StationSources
    private let guide: any GuideStore
    /// The last list and its time. It is shared, because many browsers ask at the same time.
    private var last: (list: StationList, made: ContinuousClock.Instant)?

    init(_ sources: StationSources, guide: any GuideStore) {
        (self.sources, self.guide) = (sources, guide)
    }

    // MARK: - Stations

    /// Returns the stations of the monitor, or those of the settings if it was never started.
    nonisolated func descriptions() throws(EarshotError) -> [StationDescription] {
        try sources.folder.status()?.stations.map(\.station) ?? sources.stations
    }

    /// Returns a station of ``descriptions()``, or one that only the log contains.
    ///
    /// - Throws: `entityNotFound`.
    nonisolated func station(_ id: String) async throws(EarshotError) -> StationDescription {
        if let station = try descriptions().first(where: { $0.id.rawValue == id }) { return station }
        let query = PlayQuery(channels: [EntityID(id)], isNewestFirst: true)
        guard let record = try await sources.store.records(query, after: nil, limit: 1).items.first else {
            throw EarshotError.missing("station", id)
        }
        return StationDescription(id: record.channel.id, name: record.channel.name, timeZone: sources.timeZone)
    }

    /// Returns the state of all stations, at most half a second old.
    func list(at now: Date) async throws(EarshotError) -> StationList {
        if let last, ContinuousClock.now - last.made < .milliseconds(500) { return last.list }
        let list = try await makeList(at: now)
        last = (list, .now)
        return list
    }

    private nonisolated func makeList(at now: Date) async throws(EarshotError) -> StationList {
        let store = sources.store
        let status = try sources.folder.status()
        let isRunning = status?.isRunning(at: now) ?? false
        let states = status?.stations ?? sources.stations.map { MonitorStatus.Station($0) }
        let open = Dictionary(grouping: try await store.openRecords(), by: \.channel.id)
        var recent: [EntityID<BroadcastChannel>: [PlayRecord]] = [:]
        try await store.forEachRecord(PlayQuery(span: now.addingTimeInterval(-3_600)..<now.addingTimeInterval(60))) {
            recent[$0.channel.id, default: []].append($0)
        }
        let airings = Dictionary(
            grouping: try await guide.airings(
                on: states.map(\.station.guide),
                from: now,
                to: now.addingTimeInterval(Self.guideReach)
            ),
            by: \.channel.id
        )
        var records: [StationRecord] = []
        for state in states {
            let station = state.station
            let announced = airings[station.guide] ?? []
            let isLive = isRunning && state.isLive
            let current = announced.last { $0.start <= now && $0.end > now }
            records.append(
                StationRecord(
                    id: station.id.rawValue,
                    name: station.name,
                    timeZone: station.timeZone,
                    isLive: isLive,
                    lostSince: isLive ? nil : state.lostSince ?? (isRunning ? nil : status?.date),
                    level: isLive ? state.level : nil,
                    kind: isLive ? state.kind : nil,
                    fault: isRunning ? state.fault : nil,
                    playing: (open[station.id] ?? []).map { LoggedPlay($0) },
                    now: current.map { StationAiring($0) },
                    next: announced.first { $0.start > now }.map { StationAiring($0) },
                    lastBreak: try await lastBreak(of: station.id, at: now),
                    recent: (recent[station.id] ?? []).map { LoggedPlay($0) }
                )
            )
        }
        return StationList(
            date: now,
            monitor: status == nil ? .neverStarted : isRunning ? .running : .ended,
            monitorDate: status?.date,
            sequence: try await store.counts().lastSequence,
            timeZone: Self.name(of: sources.timeZone),
            stations: records
        )
    }

    private nonisolated func lastBreak(
        of id: EntityID<BroadcastChannel>,
        at now: Date
    ) async throws(EarshotError) -> StationBreak? {
        let span = now.addingTimeInterval(-Self.breakMemory)..<now.addingTimeInterval(60)
        let query = PlayQuery(channels: [id], span: span, isNewestFirst: true)
        // A break with the same start and end means that audio was late, but none was missed.
        return try await sources.store.gaps(query, after: nil, limit: 20).items
            .first { gap in gap.end.map { $0 > gap.start } ?? true }.map { StationBreak($0) }
    }

    /// Returns a stream of the state of all stations: at once, and after each change, until the service ends.
    nonisolated func changes(
        now: @escaping @Sendable () -> Date,
        until shutdown: ShutdownFlag
    ) -> AsyncStream<StationList> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var (toldDate, toldSequence) = (Date?.none, -1)
                while !Task.isCancelled, !shutdown.isRaised {
                    // A failed read is skipped: the page keeps its last state, and the next read may succeed.
                    if let list = try? await self.list(at: now()),
                        list.monitorDate != toldDate || list.sequence != toldSequence
                    {
                        (toldDate, toldSequence) = (list.monitorDate, list.sequence)
                        continuation.yield(list)
                    }
                    try? await Task.sleep(for: .seconds(1))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    // MARK: - Days

    /// Returns a day of a station; today for `nil`.
    nonisolated func day(_ day: PlayDay?, of id: String, at now: Date) async throws(EarshotError) -> StationDay {
        let station = try await station(id)
        let day = day ?? PlayDay(of: now, in: station.zone)
        let span = day.span(in: station.zone)
        let query = PlayQuery(channels: [station.id], span: span)
        let (store, limit) = (sources.store, Self.dayLimit)
        var plays: [LoggedPlay] = []
        var breaks: [StationBreak] = []
        let sequence = try await store.counts().lastSequence
        try await store.forEachRecord(query) { if plays.count < limit { plays.append(LoggedPlay($0)) } }
        try await store.forEachGap(query) { if $0.end != $0.start { breaks.append(StationBreak($0)) } }
        let airings = try await guide.airings(on: [station.guide], from: span.lowerBound, to: span.upperBound)
        return StationDay(
            id: id,
            name: station.name,
            timeZone: station.timeZone,
            day: day.description,
            start: span.lowerBound,
            end: span.upperBound,
            date: now,
            sequence: sequence,
            plays: plays,
            breaks: breaks,
            heard: try await store.heard(query).map { StationSpan(start: $0.start, end: $0.end) },
            guide: airings.map { StationAiring($0) }
        )
    }

    /// Returns the comparison of a day of a station with the guide; today for `nil`.
    nonisolated func comparison(
        _ day: PlayDay?,
        of id: String,
        at now: Date
    ) async throws(EarshotError) -> GuideComparison {
        let station = try await station(id)
        let span = (day ?? PlayDay(of: now, in: station.zone)).span(in: station.zone)
        let airings = try await guide.airings(on: [station.guide], from: span.lowerBound, to: span.upperBound)
        // 1.5 h before and after the day: a program of the evening may have been broadcast after midnight.
        let around = span.lowerBound.addingTimeInterval(-5_400)..<span.upperBound.addingTimeInterval(5_400)
        let query = PlayQuery(channels: [station.id], span: around)
        var (plays, gaps) = ([PlayRecord](), [StreamGap]())
        try await sources.store.forEachRecord(query) { plays.append($0) }
        try await sources.store.forEachGap(query) { gaps.append($0) }
        let heard = try await sources.store.heard(query)
        var comparison = GuideComparison(airings: airings, plays: plays, gaps: gaps, heard: heard, now: now)
        comparison.unannounced.removeAll { !span.contains($0.start) }
        return comparison
    }

    /// Returns the report of a day: of one station in its time zone, or of all.
    nonisolated func report(
        _ day: PlayDay?,
        of id: String?,
        at now: Date
    ) async throws(EarshotError) -> DailyReport {
        var (zone, channels) = (sources.timeZone, [PlayChannel]())
        if let id {
            let station = try await station(id)
            (zone, channels) = (station.zone, [PlayChannel(id: station.id, name: station.name)])
        }
        let day = day ?? PlayDay(of: now, in: zone)
        return try await sources.store.dailyReport(day, in: zone, channels: channels, until: now)
    }

    private static func name(of zone: TimeZone) -> String { zone == .gmt ? "UTC" : zone.identifier }
}
