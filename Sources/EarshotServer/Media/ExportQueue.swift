import EarshotAPI
import EarshotCore
import EarshotMedia
import EarshotRecognition
import EarshotTags
import Foundation
import Logging

/// Exports assets to files, several at a time, and reports the progress.
///
/// Exports are stored from the moment they are accepted. A result appears when it is whole. An export that was running when the service
/// ended is marked as failed at the next start, and its files are removed.
actor ExportQueue {
    /// The stored form of an export.
    struct Order: Codable, Sendable {
        var record: ExportRecord
        /// The owner: a client, or the operator.
        var owner: String
    }

    private static let prefix = "export/"
    /// The largest number of running and waiting exports.
    static let activeLimit = 200

    /// The folder of the results.
    nonisolated let folder: URL
    private let store: any AccountStore
    private let decoder: any FileDecoder
    private let disk: DiskReserve?
    private let queue: WorkQueue
    /// The number of ended exports that are kept of each client.
    private let kept: Int
    /// The access mode of results; `nil` for that of the process.
    private let mode: mode_t?
    private let now: @Sendable () -> Date
    private let logger: Logger
    private var orders: [String: Order] = [:]
    private var active: [String: Task<Void, Never>] = [:]
    /// The names of results whose exports are waiting or running.
    private var names: Set<String> = []
    private var broadcasts: [String: EventBroadcast<ExportRecord>] = [:]
    private var isStopping = false

    /// - Parameters:
    ///   - folder: The folder for results.
    ///   - store: Stores the exports.
    ///   - decoder: Exports the files.
    ///   - disk: The disk of the folder; `nil` to keep no reserve of it free.
    ///   - width: The number of exports that run at a time.
    ///   - kept: The number of ended exports that are kept of each client. The oldest is removed with its result.
    ///   - mode: The permissions of results; `nil` for those that the process gives to files.
    init(
        folder: URL,
        store: any AccountStore,
        decoder: any FileDecoder,
        disk: DiskReserve? = nil,
        width: Int,
        kept: Int,
        mode: mode_t? = nil,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.folder = folder
        (self.store, self.decoder, self.disk) = (store, decoder, disk)
        // Exports are long: none may run beyond the width, and all yield to other processes of the machine.
        queue = WorkQueue(width: width, limit: Self.activeLimit, shortTurn: 0, yields: true)
        self.kept = kept
        self.mode = mode
        self.now = now
        self.logger = logger
    }

    /// The numbers of running and of waiting exports.
    var load: (running: Int, waiting: Int) {
        let running = queue.load.running
        return (running, max(0, active.count - running))
    }

    // MARK: - Begin and end of the service

    /// Reads the stored exports, and removes the files of those that did not end.
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
        let workspaces = orders.keys.map { ExportWorkspace($0, in: folder) }
        await Self.remove(workspaces)
    }

    private static func remove(_ workspaces: [ExportWorkspace]) async {
        _ = try? await BlockingWork.run { for workspace in workspaces { workspace.remove() } }
    }

    /// Completes the record of an export during which the service ended.
    private func close(_ record: inout ExportRecord) {
        let url = folder.appendingPathComponent(record.name)
        record.finished = now()
        // Only whole results get their name, and this name belonged to the export: so a file of this name is its whole result.
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

    /// Cancels active exports. At the next start their records are marked as failed.
    func stop() async {
        isStopping = true
        let running = Array(active.values)
        for task in running { task.cancel() }
        for task in running { await task.value }
        for broadcast in broadcasts.values { broadcast.finish() }
        broadcasts = [:]
    }

    // MARK: - Exports

    /// Accepts an export.
    ///
    /// - Parameters:
    ///   - place: The asset.
    ///   - request: The wanted result.
    ///   - name: The name of the result.
    ///   - type: The type of the result.
    ///   - plan: The plan of the export.
    ///   - owner: The owner of the export.
    /// - Throws: `serviceBusy` when too many wait, `destinationExists` when there is a result of the name, and what the store throws.
    func submit(
        _ place: MediaRoots.Place,
        _ request: ExportRequest,
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
        begin(record, place, request)
        return record
    }

    private func begin(_ record: ExportRecord, _ place: MediaRoots.Place, _ request: ExportRequest) {
        let workspace = ExportWorkspace(record.id, in: folder)
        active[record.id] = Task {
            let outcome: Result<Made, EarshotError>
            do throws(EarshotError) {
                outcome = .success(
                    try await queue.perform { () async throws(EarshotError) in
                        try await self.make(record, place, request, in: workspace)
                    }
                )
            } catch {
                outcome = .failure(workspace.told(place.told(error)))
            }
            await Self.remove([workspace])
            await self.complete(record.id, outcome)
        }
    }

    /// Returns an export of an owner; `nil` if there is none. Without an owner, as for the operator, any export is returned.
    func record(_ id: String, for owner: String?) -> ExportRecord? {
        guard let order = orders[id], owner == nil || order.owner == owner else { return nil }
        return order.record
    }

    /// Returns the exports of an owner, latest first.
    func records(for owner: String?) -> [ExportRecord] {
        orders.values.filter { owner == nil || $0.owner == owner }.map(\.record)
            .sorted { ($0.created, $0.id) > ($1.created, $1.id) }
    }

    /// Returns the file of an export's result; `nil` if it has none.
    func file(_ id: String) -> URL? {
        guard let record = orders[id]?.record, record.status == .completed else { return nil }
        return folder.appendingPathComponent(record.name)
    }

    /// Cancels an active export and waits for its end, or deletes an ended one with its result.
    ///
    /// - Throws: Errors of the store.
    func remove(_ id: String) async throws(EarshotError) {
        if let task = active[id] {
            task.cancel()
            return await task.value
        }
        try await forget(id)
    }

    private func forget(_ id: String) async throws(EarshotError) {
        guard let order = orders.removeValue(forKey: id) else { return }
        if order.record.status == .completed {
            let url = folder.appendingPathComponent(order.record.name)
            // If the result was removed by hand, a later export may have taken its name.
            let isOthers = orders.values.contains {
                $0.record.name == order.record.name && $0.record.status == .completed
            }
            if !isOthers { try? FileManager.default.removeItem(at: url) }
        }
        try await store.setValue(nil, for: Self.prefix + id)
    }

    /// Returns the progress of an export, from now until it has ended.
    func events(_ id: String) -> AsyncStream<ExportRecord> {
        guard let record = orders[id]?.record else { return AsyncStream { $0.finish() } }
        let broadcast =
            broadcasts[id]
            ?? EventBroadcast(replay: .latest, buffering: .bufferingNewest(16), initial: record)
        if record.status.isFinal || isStopping { broadcast.finish() } else { broadcasts[id] = broadcast }
        return broadcast.events
    }

    // MARK: - Work

    /// The result of exporting an asset.
    private struct Made: Sendable {
        let outcome: FileExport.Outcome
        let size: Int64
    }

    private func make(
        _ record: ExportRecord,
        _ place: MediaRoots.Place,
        _ request: ExportRequest,
        in workspace: ExportWorkspace
    ) async throws(EarshotError) -> Made {
        let (disk, mode, destination) = (disk, mode, folder.appendingPathComponent(record.name))
        let room = try await BlockingWork.run { () throws(EarshotError) in
            try disk?.check()
            try workspace.make()
            return disk?.room() ?? .max
        }
        orders[record.id]?.record.status = .exporting
        advance(record.id)
        let export = FileExport(
            request,
            to: workspace.file(record.name),
            duration: record.plan.duration?.seconds,
            sizeLimit: room
        )
        let (reports, continuation) = AsyncStream.makeStream(
            of: ExportRecord.Progress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        async let following: Void = follow(reports, of: record.id)
        defer { continuation.finish() }
        let outcome = try await decoder.export(export, of: place.url) { continuation.yield($0) }
        continuation.finish()
        await following
        let size = try await BlockingWork.run { () throws(EarshotError) in
            try workspace.publish(record.name, as: destination, mode: mode)
        }
        return Made(outcome: outcome, size: size)
    }

    private func follow(_ reports: AsyncStream<ExportRecord.Progress>, of id: String) async {
        for await progress in reports {
            var progress = progress
            // A client that sees 1 expects the file, which gets its name only after this.
            progress.fraction = progress.fraction.map { min($0, 0.9999) }
            orders[id]?.record.progress = progress
            advance(id)
        }
    }

    private func advance(_ id: String) {
        guard let record = orders[id]?.record, !record.status.isFinal else { return }
        broadcasts[id]?.send(record)
    }

    private func complete(_ id: String, _ outcome: Result<Made, EarshotError>) async {
        guard active[id] != nil, var order = orders[id] else { return }
        switch outcome {
        case .success(let made):
            order.record.status = .completed
            order.record.progress = made.outcome.progress
            if order.record.progress.fraction != nil { order.record.progress.fraction = 1 }
            order.record.size = made.size
            order.record.duration = made.outcome.duration
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
        // An export that the shutdown cancels stays in the store as it is, and is marked as failed at the next start.
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
            throw EarshotError(
                .internalError,
                "The record of an export could not be encoded: please report this.",
                cause: error
            )
        }
    }
}
