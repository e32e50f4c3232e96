import CommandKit
import Earshot
import EarshotBroadcast
import EarshotClient
import EarshotMusic
import EarshotPostgreSQL
import EarshotServer
import EarshotStations
import Foundation
import Synchronization

/// The services beside a monitor of stations: its state for other programs, webhooks, events over HTTP, a copy of its log in a database,
/// what repeats, and the last hours.
final class StationServices: Sendable {
    private struct State: Encodable {
        var id: String
        var name: String
        var isLive: Bool
        /// The last audio before the break that goes on.
        var lostSince: Date?
        var audioSeconds: Double
        var processorSeconds: Double
        var delaySeconds: Double
        var plays: Int
        var reconnects: Int
        var playing: [PlayRecord]
        /// Plays that go on if the station is heard again in time.
        var suspended: [PlayRecord]
    }

    private struct States: Encodable {
        var date: Date
        var stations: [State]
    }

    /// The interval at which orders are looked for and offers are brought up to date, in seconds.
    private static let deskInterval = 3.0
    /// The time that receivers have for the last changes when the monitor ends, in seconds.
    private static let farewell = 5.0

    private let store: any PlaylogStore
    private let report: StationReport
    private let status: StationStatusWriter
    private let webhooks: [(name: String, sender: WebhookSender)]
    private let events: StationSettings.Address?
    /// Copies the log into the database of a service; `nil` for none.
    private let replicator: PlaylogReplicator?
    private let desk: RepeatReviewService?
    private let shelves: [EntityID<BroadcastChannel>: LiveIndexRecorder]
    private let repeating: [EntityID<BroadcastChannel>: Catalog]
    /// Says that orders are carried out: before all stations are there, one that is added meanwhile would not learn of a name.
    private let takesOrders = Mutex(false)

    /// Creates the services that settings ask for.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - stations: The stations without their taps.
    ///   - store: The log.
    ///   - report: Told what goes wrong.
    init(_ settings: StationSettings, stations: [Station], store: any PlaylogStore, report: StationReport) throws {
        (self.store, self.report) = (store, report)
        let status = StationStatusWriter(
            MonitorFolder(settings.state),
            stations: settings.descriptions,
            webhooks: settings.receivers
        ) { report.complain($0) }
        self.status = status
        webhooks = try settings.webhooks(store) { status.options(of: $0) }
        events = try settings.events
        replicator = try settings.database.map { database in
            PlaylogReplicator(from: store, to: database.name) { () throws(EarshotError) in
                try await PostgreSQLPlaylogStore(DatabaseAccess.pool(database, .existing))
            }
        }
        var shelves: [EntityID<BroadcastChannel>: LiveIndexRecorder] = [:]
        for (id, folder, retention) in settings.live {
            shelves[id] = LiveIndexRecorder(folder, retention: retention) { report.complain($0) }
        }
        self.shelves = shelves
        let repeating = settings.repeating
        self.repeating = Dictionary(
            uniqueKeysWithValues: stations.filter { repeating.contains($0.channel.id) }
                .map { ($0.channel.id, $0.catalog) }
        )
        var options = RepeatReviewService.Options()
        options.clipBytes = settings.clipBytes
        desk =
            repeating.isEmpty
            ? nil : try RepeatReviewService(settings.repeats, options: options) { report.complain($0) }
    }

    /// A station with its taps, and with what was named in its catalog.
    func prepared(_ station: Station) throws(EarshotError) -> Station {
        var station = station
        let id = station.channel.id
        if let shelf = shelves[id] { station.taps.append(shelf) }
        if let desk, repeating[id] != nil {
            station.taps.append(desk)
            _ = try station.catalog.add(try desk.folder.catalog())
        }
        return station
    }

    /// Says that all stations are followed.
    func stationsAreAdded() { takesOrders.withLock { $0 = true } }

    /// Has stations look for what was named, too.
    private func replace(_ named: Catalog, in monitor: StationMonitor) async {
        for (id, base) in repeating {
            do throws(EarshotError) {
                var catalog = base
                _ = try catalog.add(named)
                try await monitor.replace(catalog, of: id)
            } catch {
                // A station that is followed no more needs no catalog.
                if error.code != .entityNotFound { report.complain(error) }
            }
        }
    }

    /// Does what is to be done beside a monitor, until the task is canceled.
    ///
    /// - Throws: `storeUnavailable` where the address for events is taken, `configurationInvalid` where it is none.
    func run(beside monitor: StationMonitor) async throws {
        // One after the other, and of those that wait the newest only: it has all names.
        let (names, name) = AsyncStream.makeStream(of: Catalog.self, bufferingPolicy: .bufferingNewest(1))
        desk?.onNaming { name.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let heard = monitor.events()
            group.addTask { [status] in for await event in heard { status.take(event) } }
            group.addTask { [status] in
                repeat {
                    _ = try? await BlockingWork.run { () throws(EarshotError) in status.update(monitor) }
                } while (try? await Task.sleep(for: .seconds(MonitorStatus.interval))) != nil
            }
            for (name, sender) in webhooks {
                group.addTask { [report] in await sender.run { report.take($0, of: name) } }
            }
            if let replicator { group.addTask { [report] in await replicator.run { report.take($0) } } }
            if let events { group.addTask { try await self.serve(events, monitor) } }
            if let desk {
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(Self.deskInterval))) != nil {
                        if self.takesOrders.withLock({ $0 }) { desk.refresh() }
                    }
                }
                group.addTask { for await named in names { await self.replace(named, in: monitor) } }
            }
            try await group.waitForAll()
        }
    }

    private func serve(_ address: StationSettings.Address, _ monitor: StationMonitor) async throws {
        var options = PlayEventServer.Options()
        (options.host, options.port) = (address.host, address.port)
        options.onRunning = { port in
            let host = address.host.contains(":") ? "[\(address.host)]" : address.host
            Terminal.note("Events are served at http://\(host):\(port)/events")
        }
        try await PlayEventServer(store: store, options: options) { try await self.states(of: monitor) }.run()
    }

    private func states(of monitor: StationMonitor) async throws -> Data {
        let open = Dictionary(grouping: try await store.openRecords(), by: \.channel.id)
        let stations = monitor.stations.map { channel in
            let figures = monitor.statistics(of: channel.id)
            let isLive = figures?.isLive ?? false
            let plays = open[channel.id] ?? []
            return State(
                id: channel.id.rawValue,
                name: channel.name,
                isLive: isLive,
                lostSince: isLive ? nil : figures?.lostSince,
                audioSeconds: figures?.audio ?? 0,
                processorSeconds: figures?.processor ?? 0,
                delaySeconds: figures?.delay ?? 0,
                plays: figures?.plays ?? 0,
                reconnects: figures?.reconnects ?? 0,
                playing: isLive ? plays : [],
                suspended: isLive ? [] : plays
            )
        }
        return try PlaylogJSON.encode(States(date: Date(), stations: stations))
    }

    /// Keeps what is still to be kept once the monitor has stopped, and lets receivers and the database take the last changes.
    func finish() async {
        await desk?.finish()
        for shelf in shelves.values { await shelf.finish() }
        async let copied: Void? = replicator?.finish(within: Self.farewell)
        await finishDeliveries()
        _ = await copied
        status.end()
    }

    private func finishDeliveries() async {
        guard !webhooks.isEmpty else { return }
        let last = (try? await store.counts().lastSequence) ?? 0
        let until = ContinuousClock.now + .seconds(Self.farewell)
        while ContinuousClock.now < until {
            var isDone = true
            for (name, _) in webhooks {
                let position = (try? await store.position(of: name)) ?? nil
                if position.map({ $0 < last }) ?? true { isDone = false }
            }
            if isDone { return }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
