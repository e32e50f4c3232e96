import EarshotAPI
import EarshotCore
import EarshotMedia
import EarshotRecognition
import EarshotTags
import Foundation
import Logging

/// Makes files of a service's assets, some at a time, and tells how far they are.
///
/// Exports are in the store from the moment they are accepted. A result appears when it is whole; what was under way when a
/// service ended has failed at the next start, and nothing of it is left.
actor ExportQueue {
    /// An export as it is kept.
    struct Order: Codable, Sendable {
        var record: ExportRecord
        /// Whose it is: a client, or the operator.
        var owner: String
    }

    private static let prefix = "export/"
    /// How many are under way or wait, at most.
    static let activeLimit = 200

    /// Where results go.
    nonisolated let folder: URL
    private let store: any AccountStore
    private let limit: ExportLimit
    /// How many that are over are kept of each client.
    private let kept: Int
    /// Who may read and write results; `nil` for as the process makes files.
    private let mode: mode_t?
    private let now: @Sendable () -> Date
    private let logger: Logger
    private var orders: [String: Order] = [:]
    private var active: [String: (session: ExportSession, task: Task<Void, Never>)] = [:]
    /// Names of results that are being made, or whose export is about to begin.
    private var names: Set<String> = []
    private var broadcasts: [String: EventBroadcast<ExportRecord>] = [:]
    private var isStopping = false

    /// - Parameters:
    ///   - folder: Where results go.
    ///   - store: Keeps what was accepted.
    ///   - width: How many run at a time.
    ///   - kept: How many that are over are kept of each client; the result of the oldest goes with it.
    ///   - mode: Who may read and write results; `nil` for as the process makes files.
    init(
        folder: URL,
        store: any AccountStore,
        width: Int,
        kept: Int,
        mode: mode_t? = nil,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.folder = folder
        self.store = store
        limit = ExportLimit(width)
        self.kept = kept
        self.mode = mode
        self.now = now
        self.logger = logger
    }

    /// How many run and how many wait.
    var load: (running: Int, waiting: Int) {
        let running = limit.activeCount
        return (running, max(0, active.count - running))
    }

    // MARK: - Begin and end of the service

    /// Reads the exports of before, and removes what was left of those that did not come to their end.
    ///
    /// - Throws: `configurationInvalid` when the folder may not be written, and what the store throws.
    func start() async throws(EarshotError) {
        let folder = folder
        try await BlockingWork.run { () throws(EarshotError) in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue,
                access(folder.path, W_OK | X_OK) == 0
            else {
                throw EarshotError(
                    .configurationInvalid,
                    "Exports are to go to \(folder.path), which is no folder that may be written: make it, or name another."
                )
            }
            StagedFile.removeLeftovers(in: folder.path)
        }
        for name in try await store.valueNames(beginning: Self.prefix) {
            guard let data = try await store.value(name),
                var order = try? ServiceAPI.decoder().decode(Order.self, from: data)
            else { continue }
            if !order.record.status.isFinal {
                close(&order.record)
                try await keep(order)
            }
            orders[order.record.id] = order
        }
    }

    /// Ends the record of an export that the end of the service has interrupted.
    private func close(_ record: inout ExportRecord) {
        let url = folder.appendingPathComponent(record.name)
        record.finished = now()
        // Nothing but a whole result takes a name, and this one was the export's own.
        if let found = try? FileManager.default.attributesOfItem(atPath: url.path),
            found[.type] as? FileAttributeType == .typeRegular
        {
            record.status = .completed
            record.size = (found[.size] as? NSNumber)?.int64Value
            record.duration = record.plan.duration
            if record.progress.fraction != nil || record.plan.duration != nil { record.progress.fraction = 1 }
        } else {
            record.status = .failed
            record.error =
                Failure(
                    EarshotError(.cancelled, "The service ended before the export did: ask for it again.")
                ).error
        }
    }

    /// Ends what is under way; at the next start it has failed.
    func stop() async {
        isStopping = true
        let running = Array(active.values)
        for (session, _) in running { session.cancel() }
        for (_, task) in running { await task.value }
        for broadcast in broadcasts.values { broadcast.finish() }
        broadcasts = [:]
    }

    // MARK: - Exports

    /// Accepts an export.
    ///
    /// - Parameters:
    ///   - place: The asset.
    ///   - name: What the result is called.
    ///   - type: What kind of file it is.
    ///   - plan: What it will do.
    ///   - owner: Whose it is.
    /// - Throws: `serviceBusy` when too many wait, `destinationExists` when there is a result of the name, and what the store throws.
    func submit(
        _ place: MediaRoots.Place,
        _ settings: ExportSettings,
        name: String,
        type: FileType,
        plan: ExportRecord.Plan,
        owner: String
    ) async throws(EarshotError) -> ExportRecord {
        guard !isStopping, names.count < Self.activeLimit else {
            throw EarshotError(.serviceBusy, "\(names.count) exports wait already: try again when some are done.")
        }
        let destination = folder.appendingPathComponent(name)
        guard !names.contains(name), !FileManager.default.fileExists(atPath: destination.path) else {
            throw EarshotError(.destinationExists, "There is an export named \(name) already: choose another name.")
        }
        names.insert(name)
        let record = ExportRecord(
            id: Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567")),
            asset: place.id,
            name: name,
            type: type.rawValue,
            plan: plan,
            created: now()
        )
        let order = Order(record: record, owner: owner)
        do throws(EarshotError) {
            try await keep(order)
        } catch {
            names.remove(name)
            throw error
        }
        orders[record.id] = order
        begin(record.id, place, settings, destination, type)
        return record
    }

    private func begin(
        _ id: String,
        _ place: MediaRoots.Place,
        _ settings: ExportSettings,
        _ destination: URL,
        _ type: FileType
    ) {
        let session = ExportSession(
            place.url,
            settings: settings,
            to: destination,
            as: type,
            tags: .tagLib,
            limit: limit
        )
        session.onProgress { [weak self] _ in
            Task { await self?.advance(id) }
        }
        let task = Task {
            let outcome: Result<WrittenFile, EarshotError>
            do throws(EarshotError) {
                outcome = .success(try await session.export())
            } catch {
                outcome = .failure(place.told(error))
            }
            await self.complete(id, outcome)
        }
        active[id] = (session, task)
    }

    /// An export of somebody; nothing when there is none. The operator sees all.
    func record(_ id: String, for owner: String?) -> ExportRecord? {
        guard let order = orders[id], owner == nil || order.owner == owner else { return nil }
        return current(order.record)
    }

    /// The exports of somebody, the latest first.
    func records(for owner: String?) -> [ExportRecord] {
        orders.values.filter { owner == nil || $0.owner == owner }.map { current($0.record) }
            .sorted { ($0.created, $0.id) > ($1.created, $1.id) }
    }

    /// A record as its session is now.
    private func current(_ record: ExportRecord) -> ExportRecord {
        guard let session = active[record.id]?.session, !record.status.isFinal else { return record }
        var record = record
        // A session that has ended is told with its result, when that is known.
        let status = ExportRecord.Status(session.status)
        record.status = status.isFinal ? .exporting : status == .unknown ? .waiting : status
        record.progress = ExportRecord.Progress(session.progress)
        // Whoever sees the whole of it may look for the file.
        if status.isFinal, let fraction = record.progress.fraction { record.progress.fraction = min(fraction, 0.9999) }
        return record
    }

    /// Where the result of an export is; nothing where it has none.
    func file(_ id: String) -> URL? {
        guard let record = orders[id]?.record, record.status == .completed else { return nil }
        return folder.appendingPathComponent(record.name)
    }

    /// Cancels an export that is under way, and waits until nothing of it is left; removes one that is over, with its result.
    ///
    /// - Throws: What the store throws.
    func remove(_ id: String) async throws(EarshotError) {
        if let (session, task) = active[id] {
            session.cancel()
            return await task.value
        }
        try await forget(id)
    }

    private func forget(_ id: String) async throws(EarshotError) {
        guard let order = orders.removeValue(forKey: id) else { return }
        if order.record.status == .completed {
            let url = folder.appendingPathComponent(order.record.name)
            // Another one of the same name may have come when this one was removed by hand.
            let isOthers = orders.values.contains {
                $0.record.name == order.record.name && $0.record.status == .completed
            }
            if !isOthers { try? FileManager.default.removeItem(at: url) }
        }
        try await store.setValue(nil, for: Self.prefix + id)
    }

    /// How far an export is, now and until it is over.
    func events(_ id: String) -> AsyncStream<ExportRecord> {
        guard let record = orders[id]?.record else { return AsyncStream { $0.finish() } }
        let broadcast =
            broadcasts[id]
            ?? EventBroadcast(replay: .latest, buffering: .bufferingNewest(16), initial: current(record))
        if record.status.isFinal || isStopping { broadcast.finish() } else { broadcasts[id] = broadcast }
        return broadcast.events
    }

    // MARK: - Work

    private func advance(_ id: String) {
        guard let record = orders[id]?.record, !record.status.isFinal else { return }
        broadcasts[id]?.send(current(record))
    }

    private func complete(_ id: String, _ outcome: Result<WrittenFile, EarshotError>) async {
        guard let session = active[id]?.session, var order = orders[id] else { return }
        order.record.progress = ExportRecord.Progress(session.progress)
        switch outcome {
        case .success(let file):
            if let mode { chmod(folder.appendingPathComponent(order.record.name).path, mode) }
            order.record.status = .completed
            order.record.size = file.byteCount
            order.record.duration = AssetRecord.Time(file.duration)
        case .failure(let error) where error.code == .cancelled: order.record.status = .cancelled
        case .failure(let error):
            order.record.status = .failed
            order.record.error =
                Failure(
                    EarshotError(error.code, error.message.replacing(folder.path + "/", with: ""))
                ).error
        }
        order.record.finished = now()
        active[id] = nil
        names.remove(order.record.name)
        orders[id] = order
        // What a shutdown interrupts is still in the store as it was, and has failed at the next start.
        let isInterrupted = isStopping && order.record.status == .cancelled
        do throws(EarshotError) {
            if !isInterrupted { try await keep(order) }
            try await forgetOldest(of: order.owner)
        } catch {
            logger.error(
                "An export's end could not be kept",
                metadata: ["export": "\(id)", "reason": "\(error.message)"]
            )
        }
        let broadcast = broadcasts.removeValue(forKey: id)
        broadcast?.send(order.record)
        broadcast?.finish()
    }

    private func forgetOldest(of owner: String) async throws(EarshotError) {
        let over = orders.values.filter { $0.owner == owner && $0.record.status.isFinal }
            .sorted {
                ($0.record.finished ?? .distantPast, $0.record.id) > ($1.record.finished ?? .distantPast, $1.record.id)
            }
        for old in over.dropFirst(kept) { try await forget(old.record.id) }
    }

    private func keep(_ order: Order) async throws(EarshotError) {
        do {
            try await store.setValue(try ServiceAPI.encoder().encode(order), for: Self.prefix + order.record.id)
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "An export could not be kept.", cause: error)
        }
    }
}
