import EarshotBroadcast
import EarshotClassification
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotStations
import Foundation
import Synchronization

/// Tells other programs on the same machine the state of a monitor, and takes their requests to send to webhooks again.
final class StationStatusWriter: Sendable {
    private struct State {
        var status: MonitorStatus
        var webhooks: [WebhookStatus]
        /// Webhooks to which others want to be sent again.
        var retries: Set<String> = []
        /// Says that the states of webhooks changed since they were last written.
        var hasNewDeliveries = true
        /// Says that writing failed, which was reported.
        var isFailing = false
    }

    private let folder: MonitorFolder
    private let report: @Sendable (EarshotError) -> Void
    private let state: Mutex<State>
    /// Calls come from one task, but for the last one.
    private let isWriting = Mutex(())

    /// Creates a writer. Deliveries that an earlier monitor told are kept.
    ///
    /// - Parameters:
    ///   - folder: Where the state is told.
    ///   - stations: The stations.
    ///   - webhooks: The receivers of changes.
    ///   - report: Told failures of writing, once until it works again.
    init(
        _ folder: MonitorFolder,
        stations: [StationDescription],
        webhooks: [WebhookStatus],
        report: @escaping @Sendable (EarshotError) -> Void
    ) {
        (self.folder, self.report) = (folder, report)
        let earlier = (try? folder.webhooks()) ?? []
        let now = Date()
        state = Mutex(
            State(
                status: MonitorStatus(started: now, date: now, stations: stations.map { MonitorStatus.Station($0) }),
                webhooks: webhooks.map { webhook in
                    var webhook = webhook
                    webhook.deliveries = earlier.first { $0.name == webhook.name }?.deliveries ?? []
                    return webhook
                }
            )
        )
    }

    // MARK: - Stations

    /// Takes what a monitor tells, with levels.
    func take(_ event: StationEvent) {
        guard let channel = event.channel else { return }
        state.withLock { state in
            guard let index = state.status.stations.firstIndex(where: { $0.station.id == channel }) else { return }
            var station = state.status.stations[index]
            switch event.content {
            case .live: station.fault = nil
            case .lost(let error, _), .ended(let error): (station.fault, station.level) = (error?.message, nil)
            case .silent: station.level = nil
            case .level(let level): station.level = MonitorStatus.Station.told(level: level)
            case .kind(let kind): station.kind = kind.rawValue
            case .failed(let error): station.fault = error.message
            case .connecting, .playStarted, .playEnded, .writeFailed, .recordsLost: break
            }
            state.status.stations[index] = station
        }
    }

    /// Writes the state as it is now, and takes requests.
    func update(_ monitor: StationMonitor) {
        let figures = monitor.stations.map { ($0.id, monitor.statistics(of: $0.id)) }
        let requested = folder.takeRetries()
        state.withLock { state in
            state.retries.formUnion(requested)
            state.status.date = Date()
            for (id, figures) in figures {
                guard let figures, let index = state.status.stations.firstIndex(where: { $0.station.id == id }) else {
                    continue
                }
                var station = state.status.stations[index]
                station.isLive = figures.isLive
                station.lostSince = figures.isLive ? nil : figures.lostSince
                if !figures.isLive { station.level = nil }
                (station.delay, station.plays, station.reconnects) = (figures.delay, figures.plays, figures.reconnects)
                state.status.stations[index] = station
            }
        }
        write()
    }

    /// Writes that the monitor has ended.
    func end() {
        state.withLock { state in
            (state.status.hasEnded, state.status.date) = (true, Date())
            for index in state.status.stations.indices {
                (state.status.stations[index].isLive, state.status.stations[index].level) = (false, nil)
            }
        }
        write()
    }

    // MARK: - Webhooks

    /// Options by which a sender tells its deliveries, and learns when to send again.
    func options(of webhook: String) -> WebhookSender.Options {
        var options = WebhookSender.Options()
        options.onAttempt = { [weak self] attempt in self?.take(attempt, of: webhook) }
        options.takesRetry = { [weak self] in
            self?.state.withLock { $0.retries.remove(webhook) != nil } ?? false
        }
        return options
    }

    private func take(_ attempt: WebhookSender.Attempt, of webhook: String) {
        state.withLock { state in
            guard let index = state.webhooks.firstIndex(where: { $0.name == webhook }) else { return }
            var receiver = state.webhooks[index]
            switch attempt.result {
            case .delivered: (receiver.state, receiver.failures, receiver.retryAt) = (.working, 0, nil)
            case .failed(let instant, let failures, _):
                (receiver.state, receiver.failures, receiver.retryAt) = (.failing, failures, instant)
            case .disabled: (receiver.state, receiver.retryAt) = (.disabled, nil)
            case .ignored: break
            }
            receiver.add(
                WebhookStatus.Delivery(
                    id: attempt.delivery.id,
                    date: attempt.date,
                    changes: attempt.delivery.changes.count,
                    status: attempt.status,
                    fault: attempt.error?.message,
                    seconds: (attempt.seconds * 1_000).rounded() / 1_000
                )
            )
            state.webhooks[index] = receiver
            state.hasNewDeliveries = true
        }
    }

    // MARK: - Writing

    private func write() {
        isWriting.withLock { _ in
            let (status, webhooks) = state.withLock { state in
                defer { state.hasNewDeliveries = false }
                return (state.status, state.hasNewDeliveries ? state.webhooks : nil)
            }
            do throws(EarshotError) {
                try folder.write(status)
                if let webhooks { try folder.write(webhooks) }
                state.withLock { $0.isFailing = false }
            } catch {
                let isNew = state.withLock { state in
                    defer { (state.isFailing, state.hasNewDeliveries) = (true, true) }
                    return !state.isFailing
                }
                if isNew { report(error) }
            }
        }
    }
}
