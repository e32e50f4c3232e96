public import EarshotCore
import Foundation

extension BundleStore {
    /// Bytes that a source is asked for at most, and those below which it is not asked.
    private static let bufferSize = 1 << 18
    private static let leastRoom = 4_096

    /// Adds a bundle to the store, completely or not at all.
    ///
    /// The source is read to its end. If the store holds the bundle in the same version and with the same digest,
    /// nothing changes. A newer version replaces the stored one; an older one is skipped. The report says which. Other
    /// content with the stored version is refused, unless the stored bundle is damaged.
    ///
    /// While another ingest or another process changes the store, this one waits.
    ///
    /// - Parameters:
    ///   - source: The source of the bundle's bytes.
    ///   - progress: Called after each read with the number of bytes read so far; the last number is the size of the
    ///     bundle.
    /// - Returns: The change of the store. Later lookups find the references of the bundle.
    /// - Throws: `storageNotConfigured`; `ingestAborted` if the source fails or returns more than it was asked for;
    ///   `bundleInvalid` with the reason if the bundle is damaged or exceeds a limit; `storeDamaged` if the store's
    ///   manifest is damaged; `storeUnavailable` if the folder cannot be written; `writeFailed`; `cancelled`. The store
    ///   is unchanged after an error.
    @discardableResult
    public func ingest(
        _ source: some BundleSource,
        progress: (Int) -> Void = { _ in }
    ) async throws(EarshotError) -> IngestReport {
        let folder = try configured()
        let writer = try await StoreWriter.begin(folder)
        let work = IngestWork(writer, name: source.name)
        let size: Int
        do {
            size = try await Self.feed(work, from: source, progress)
        } catch {
            await Self.abandon(work)
            throw error
        }
        let done: IngestWork.Outcome
        do {
            done = try await BlockingWork.run { () throws(EarshotError) in try work.finish() }
        } catch {
            await Self.abandon(work)
            throw error
        }
        // The change is done; what cannot be opened is said by the next lookup.
        try? refresh(reusing: done.opened.map { [$0] } ?? [])
        return IngestReport(outcome: done.outcome, bundle: done.bundle, byteCount: size)
    }

    private static func abandon(_ work: IngestWork) async {
        try? await BlockingWork.run { () throws(EarshotError) in work.abandon() }
    }

    /// Reads a source to its end.
    ///
    /// - Returns: The number of bytes.
    private static func feed(
        _ work: IngestWork,
        from source: some BundleSource,
        _ progress: (Int) -> Void
    ) async throws(EarshotError) -> Int {
        var source = source
        var total = 0
        var held = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[held...])
            let count: Int
            do {
                count = try await source.read(into: room)
            } catch {
                if error is CancellationError || Task.isCancelled {
                    throw EarshotError(.cancelled, "The ingest was canceled after \(total) bytes.", cause: error)
                }
                throw EarshotError(
                    .ingestAborted,
                    "The source of the bundle failed after \(total) bytes: check the file or the network, and ingest again.",
                    cause: error
                )
            }
            guard (0...room.count).contains(count) else {
                throw EarshotError(
                    .ingestAborted,
                    "The source of the bundle says it gave \(count) bytes and was asked for at most \(room.count): "
                        + "mend the source."
                )
            }
            guard !Task.isCancelled else {
                throw EarshotError(.cancelled, "The ingest was canceled after \(total) bytes.")
            }
            held += count
            total += count
            if count > 0 { progress(total) }
            // Small pieces are collected, so that a source of single bytes does not cost a change of threads for each.
            if count == 0 || buffer.count - held < leastRoom || held >= bufferSize / 4 {
                let piece = [UInt8](buffer[..<held])
                held = 0
                try await BlockingWork.run { () throws(EarshotError) in try work.take(piece) }
            }
            if count == 0 { return total }
        }
    }
}
