package import EarshotCore
import EarshotMusic
package import Foundation
import Synchronization

/// A cache of answers to queries for metadata, in one SQLite file, `metadata-cache.sqlite`, that only its owner can read.
///
/// It is off, and writes nothing, until a folder is set. The file never takes more than the size that is set, and nothing
/// lies beside it. A file that is damaged, or is something else, is thrown away and made anew, for it is only a cache; a note
/// says so. Several programs may use one folder.
package final class SQLiteMetadataCache: MetadataCache {
    /// The name of the file in the folder.
    package static let fileName = "metadata-cache.sqlite"

    private let now: @Sendable () -> Date
    private let note: @Sendable (String) -> Void
    private let options = Mutex(MetadataCacheOptions())
    /// The open file; `nil` while the cache is off. Used only on ``queue``, so that waiting blocks no thread that tasks share.
    private let opened = Mutex<MetadataCacheFile?>(nil)
    private let queue = DispatchQueue(label: "earshot.metadata-cache", qos: .utility)

    /// A cache that is off.
    ///
    /// - Parameters:
    ///   - now: The wall clock by which entries grow old.
    ///   - note: Told in a sentence when a damaged file was thrown away; called from any thread.
    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.now = now
        self.note = note
    }

    // MARK: - Options

    /// The folder; nothing while the cache is off.
    package var folder: URL? { options.withLock { $0.folder } }

    /// The most that the cache takes on the disk, in kilobytes.
    package var fileSize: Int { options.withLock { $0.fileSize } }

    /// The most of its content that the cache holds in memory, in kilobytes.
    package var memorySize: Int { options.withLock { $0.memorySize } }

    /// Sets the folder, and makes it and the file where they are not there; nothing turns the cache off and leaves what is
    /// on the disk.
    ///
    /// - Throws: `writeFailed` and `storeUnavailable` when the folder cannot be used; the cache is then as it was before.
    package func setFolder(_ folder: URL?) async throws(EarshotError) {
        try await change { $0.folder = folder }
    }

    /// Sets the most that the cache takes on the disk; what is too much goes at once, the oldest first.
    ///
    /// - Parameter kilobytes: The size in kilobytes of 1,024 bytes.
    /// - Throws: `configurationInvalid` for a size outside ``MetadataCacheOptions/fileSizes``, `writeFailed`,
    ///   `storeUnavailable`; the size is then as it was before.
    package func setFileSize(_ kilobytes: Int) async throws(EarshotError) {
        try await change { $0.fileSize = kilobytes }
    }

    /// Sets the most of its content that the cache holds in memory.
    ///
    /// - Parameter kilobytes: The size in kilobytes of 1,024 bytes.
    /// - Throws: `configurationInvalid` for a size outside ``MetadataCacheOptions/memorySizes``, `storeUnavailable`.
    package func setMemorySize(_ kilobytes: Int) async throws(EarshotError) {
        try await change { $0.memorySize = kilobytes }
    }

    private func change(_ body: @escaping @Sendable (inout MetadataCacheOptions) -> Void) async throws(EarshotError) {
        try await onQueue { [self] opened throws(EarshotError) in
            var options = options.withLock { $0 }
            body(&options)
            try options.check()
            // If this throws, the present file stays open.
            opened = try open(options)
            self.options.withLock { $0 = options }
        }
    }

    // MARK: - Entries

    /// Returns the value that was last stored under a key; `nil` if there is none, or it is older than a week.
    package func value(for key: String) async throws(EarshotError) -> Data? {
        try await use { [now] file throws(EarshotError) in try file.value(for: key, now()) } ?? nil
    }

    /// Keeps an answer, in place of the one of the same key. Where room is short, what was stored first goes first.
    package func store(_ value: Data, for key: String) async throws(EarshotError) {
        _ = try await use { [now] file throws(EarshotError) in try file.store(value, for: key, now()) }
    }

    /// Removes everything; the file stays, and is empty.
    package func clear() async throws(EarshotError) {
        _ = try await use { file throws(EarshotError) in try file.clear() }
    }

    // MARK: - The file

    /// Works with the file, and returns `nil` while the cache is off. If the file turns out to be damaged, it is created anew, and the work is
    /// repeated.
    private func use<Value: Sendable>(
        _ body: @escaping @Sendable (MetadataCacheFile) throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value? {
        try await onQueue { [self] opened throws(EarshotError) in
            let options = options.withLock { $0 }
            guard options.folder != nil else { return nil }
            if opened?.isInPlace != true { opened = nil }
            if opened == nil { opened = try open(options) }
            guard let file = opened else { return nil }
            do throws(EarshotError) {
                return try body(file)
            } catch {
                guard error.code == .storeDamaged else { throw error }
                opened = nil
                discard(file.url)
                opened = try open(options)
                guard let anew = opened else { return nil }
                return try body(anew)
            }
        }
    }

    private func open(_ options: MetadataCacheOptions) throws(EarshotError) -> MetadataCacheFile? {
        guard let folder = options.folder else { return nil }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) of the cache cannot be made: check the path and its rights.",
                cause: error
            )
        }
        let url = folder.appendingPathComponent(Self.fileName)
        do throws(EarshotError) {
            return try MetadataCacheFile(url, options)
        } catch {
            guard error.code == .storeDamaged else { throw error }
            discard(url)
            return try MetadataCacheFile(url, options)
        }
    }

    private func discard(_ url: URL) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        note("\(url.path) was damaged, or not a cache of this version: it was thrown away and made anew.")
    }

    /// Runs blocking work with the open file, one piece of work at a time.
    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable (inout MetadataCacheFile?) throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        try await BlockingWork.run(on: queue) { [self] () throws(EarshotError) in
            let result: Result<Value, EarshotError> = opened.withLock { opened in
                do throws(EarshotError) {
                    return .success(try body(&opened))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
    }
}
