import Crypto
import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
package import Foundation
import Synchronization

/// Segments of a shared catalog on this machine: fetched from the bucket, checked, mapped. Its folder may be deleted while no service runs.
package final class SegmentCache: Sendable {
    private typealias Outcome = Result<SegmentFile, EarshotError>

    private struct Entry {
        let file: SegmentFile
        /// The time at which the file was opened.
        let since = ContinuousClock.now
        /// `true` once a view has used the segment. When no view uses it any longer, it is evicted at once.
        var wasNeeded = false
    }

    private struct State {
        /// Segments that are open, by their objects.
        var open: [String: Entry] = [:]
        /// Segments that are on their way.
        var underWay: [String: Task<Outcome, Never>] = [:]
        /// The bytes of segments on their way that the node need not hold, by their objects.
        var promised: [String: Int] = [:]
    }

    /// Returns the bytes that the disk has for segments; `nil` if that is not known. For segments that the node need not hold (`isOwn` is
    /// `false`), the reserve of the disk is not counted. Blocks.
    package typealias Room = @Sendable (_ isOwn: Bool) -> Int?

    package let folder: URL
    /// The name of the catalog.
    package let catalog: String
    package let objects: any ObjectStore
    private let room: Room
    private let flush: @Sendable (Int32) -> Bool
    private let state = Mutex(State())

    /// Opens a cache, and removes what an interrupted fetch has left.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is made if there is none.
    ///   - catalog: The name of the catalog.
    ///   - objects: The bucket.
    ///   - room: Tells the room of the disk. Default: it is not known.
    ///   - flush: Flushes the open file of a descriptor to the disk; returns `false` if that failed.
    /// - Throws: `writeFailed` if the folder cannot be made.
    package init(
        _ folder: URL,
        catalog: String,
        objects: any ObjectStore,
        room: @escaping Room = { _ in nil },
        flush: @escaping @Sendable (Int32) -> Bool = { Durability.flush($0) }
    ) throws(EarshotError) {
        (self.folder, self.catalog, self.objects) = (folder, catalog, objects)
        (self.room, self.flush) = (room, flush)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) for segments of the catalog \(catalog) cannot be made: check that you may write there.",
                cause: error
            )
        }
        for name in fileNames where name.hasSuffix(Self.partialSuffix) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private static let suffix = ".earcat"
    private static let partialSuffix = ".partial"

    private var fileNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private func url(_ object: String) -> URL { folder.appendingPathComponent(object + Self.suffix) }

    /// Returns a new path for a file that is being written. Its suffix lets the next start remove what an interrupted write left.
    func workplace() -> URL { folder.appendingPathComponent(UUID().uuidString + Self.partialSuffix) }

    /// The bytes of all files in the folder, including those that are being written. Blocks.
    var size: Int {
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return (files ?? []).reduce(0) { sum, file in
            sum + ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
        }
    }

    // MARK: - Segments

    /// Returns a segment that is open; `nil` if it would have to be fetched, or read from the disk.
    func open(_ object: String) -> SegmentFile? { state.withLock { $0.open[object]?.file } }

    /// Returns `true` if the file of a segment is in the folder, open or not.
    func isOnDisk(_ object: String) -> Bool { FileManager.default.fileExists(atPath: url(object).path) }

    /// Returns a segment, from the disk or from the bucket, and opens it if it is not open. All of it is read and compared with its digest, so
    /// that the first query need not wait for the disk, and nothing damaged is ever searched.
    ///
    /// - Parameters:
    ///   - object: The name of its file.
    ///   - size: Its bytes; 0 if they are not known. A segment that the disk has no room for is not fetched.
    ///   - isOwn: `true` if the node is to hold it. The reserve of the disk is for such segments only.
    /// - Throws: `storeDamaged` for an object that is not what its name says, `entityNotFound`, `storeUnavailable`, `writeFailed`.
    func segment(_ object: String, size: Int = 0, isOwn: Bool = true) async throws(EarshotError) -> SegmentFile {
        let task: Task<Outcome, Never> = state.withLock { state in
            if let file = state.open[object]?.file { return Task { .success(file) } }
            if let task = state.underWay[object] { return task }
            let task = Task { [self] in
                let outcome: Outcome
                do throws(EarshotError) {
                    outcome = .success(try await load(object, size: size, isOwn: isOwn))
                } catch {
                    outcome = .failure(error)
                }
                self.state.withLock { state in
                    (state.underWay[object], state.promised[object]) = (nil, nil)
                    if case .success(let file) = outcome { state.open[object] = Entry(file: file) }
                }
                return outcome
            }
            state.underWay[object] = task
            return task
        }
        return try await task.value.get()
    }

    private func load(_ object: String, size: Int, isOwn: Bool) async throws(EarshotError) -> SegmentFile {
        let url = url(object)
        if FileManager.default.fileExists(atPath: url.path) {
            if await matches(url, object) { return try await Self.opened(url) }
            // The disk is damaged, or somebody changed the file. The bucket has the whole object.
            try? FileManager.default.removeItem(at: url)
        }
        try await checkRoom(for: object, size: size, isOwn: isOwn)
        let place = workplace()
        defer { try? FileManager.default.removeItem(at: place) }
        let key = SharedSegment.key(object, in: catalog)
        do throws(EarshotError) {
            try await objects.fetch(key, to: place)
        } catch {
            // The message of the failed write names a temporary file, another one each time: the log would repeat the same lack of room as new.
            throw error.code == .writeFailed ? noRoom(for: object, cause: error) : error
        }
        guard await matches(place, object) else {
            throw EarshotError(
                .storeDamaged,
                "The object \(key) in \(objects.name) is damaged: restore it from a version or a copy of the bucket."
            )
        }
        return try await adopt(place, as: object)
    }

    /// Refuses a segment that the disk has no room for, before it is fetched: a fetch that fails at its end takes the last room from all others.
    ///
    /// - Throws: `writeFailed`.
    private func checkRoom(for object: String, size: Int, isOwn: Bool) async throws(EarshotError) {
        // Other requests write their files meanwhile, and the room that is measured does not yet lack those bytes.
        let promised = state.withLock { state in
            if !isOwn { state.promised[object] = size }
            return isOwn ? size : state.promised.values.reduce(0, +)
        }
        let room = room
        let free = try await BlockingWork.run { () throws(EarshotError) in room(isOwn) }
        guard let free, free < promised else { return }
        throw isOwn
            ? noRoom(for: object)
            : EarshotError(
                .writeFailed,
                "This node has too little room in \(folder.path) for segments of the catalog \(catalog) that other nodes hold: make room, "
                    + "or ask a node that holds the whole catalog."
            )
    }

    private func noRoom(for object: String, cause: EarshotError? = nil) -> EarshotError {
        EarshotError(
            .writeFailed,
            "The segment \(object) of the catalog \(catalog) cannot be written to \(folder.path), where there may be no room: make room, and "
                + "it is fetched again by itself.",
            cause: cause
        )
    }

    private func matches(_ file: URL, _ object: String) async -> Bool {
        (try? await Self.digest(of: file)) == SharedSegment.digest(of: object)
    }

    /// Returns the SHA-256 digest of a file, as hexadecimal digits.
    ///
    /// - Throws: `readFailed`.
    static func digest(of file: URL) async throws(EarshotError) -> String {
        try await BlockingWork.run { () throws(EarshotError) in
            do {
                let handle = try FileHandle(forReadingFrom: file)
                defer { try? handle.close() }
                var hash = SHA256()
                while let block = try handle.read(upToCount: 1 << 20), !block.isEmpty { hash.update(data: block) }
                return hash.finalize().hexadecimal
            } catch {
                throw EarshotError(
                    .readFailed,
                    "\(file.path) cannot be read: check its rights and the disk.",
                    cause: error
                )
            }
        }
    }

    private static func opened(_ url: URL) async throws(EarshotError) -> SegmentFile {
        try await BlockingWork.run { () throws(EarshotError) in try SegmentFile(contentsOf: url) }
    }

    /// Takes in a whole file that was written here.
    ///
    /// - Parameters:
    ///   - file: The file, which moves.
    ///   - object: Its name.
    /// - Throws: `writeFailed`, `catalogInvalid`.
    @discardableResult
    func adopt(_ file: URL, as object: String) async throws(EarshotError) -> SegmentFile {
        let (target, folder, flush, noRoom) = (url(object), folder, flush, noRoom(for: object))
        let opened = try await BlockingWork.run { () throws(EarshotError) in
            let descriptor = Foundation.open(file.path, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 {
                let isOnDisk = flush(descriptor)
                close(descriptor)
                // Some disks report only now that they are full. The digest was compared with pages in memory, which would be lost.
                guard isOnDisk else { throw noRoom }
            }
            // Queries may have mapped the target, so it is replaced and never written to. A file of that name has the same bytes.
            guard rename(file.path, target.path) == 0 else {
                throw EarshotError(
                    .writeFailed,
                    "\(target.path) cannot be written (\(String(cString: strerror(errno)))): check the folder and the room left."
                )
            }
            Durability.flush(folder: folder.path)
            return try SegmentFile(contentsOf: target)
        }
        state.withLock { if $0.open[object] == nil { $0.open[object] = Entry(file: opened) } }
        return opened
    }

    /// Closes segments that are not needed, and removes their files. What is searched still stays readable until the search ends. Blocks.
    ///
    /// - Parameters:
    ///   - needed: The objects that stay.
    ///   - idle: The age up to which objects stay that were never needed, in seconds: they may have come for a view that is about to be
    ///     made. What was needed, such as the sources of a merge, goes at once.
    func evict(keeping needed: Set<String>, idle: Double) {
        let now = ContinuousClock.now
        let (open, ended) = state.withLock { state in
            var ended: Set<String> = []
            for (object, entry) in state.open {
                if needed.contains(object) {
                    state.open[object]?.wasNeeded = true
                } else if entry.wasNeeded || entry.since + .seconds(idle) <= now {
                    state.open[object] = nil
                    if entry.wasNeeded { ended.insert(object) }
                }
            }
            return (Set(state.open.keys), ended)
        }
        for name in fileNames where name.hasSuffix(Self.suffix) {
            let object = String(name.dropLast(Self.suffix.count))
            guard !needed.contains(object), !open.contains(object) else { continue }
            let file = folder.appendingPathComponent(name)
            let date = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            guard ended.contains(object) || (date ?? .distantPast).timeIntervalSinceNow <= -idle else { continue }
            try? FileManager.default.removeItem(at: file)
        }
    }
}
