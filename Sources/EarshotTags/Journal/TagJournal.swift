import Dispatch
public import EarshotCore
import EarshotMedia
public import Foundation

/// A journal of changes to files, with which they can be undone: see ``undo(leavingRoot:progress:)``.
///
/// Each change is written to the journal and flushed to the disk before the file is changed. The journal stores the
/// difference from the new to the old contents: commonly a few kilobytes, whatever the size of the file. The format is
/// in `Docs/formats/tag-journal.md`.
///
/// One process at a time can open a journal.
///
/// Unchecked, because the compiler cannot see that mutable state is accessed on `queue` only.
public final class TagJournal: @unchecked Sendable {
    /// A recorded change of a file.
    public struct Change: Hashable, Sendable {
        /// The number of the change in the journal: 1 for the first, then ascending.
        public let number: Int
        /// The time at which the change was recorded.
        public let date: Date
        /// The address of the file before the change.
        public let oldURL: URL
        /// The address of the file after the change; equal to ``oldURL`` if the file kept its name.
        public let newURL: URL
        /// `true` if the contents of the file changed, not just its name.
        public let changesBytes: Bool
        /// The size of the stored difference from the new to the old contents, in bytes.
        public let deltaSize: Int
        /// `true` if the change was undone.
        public let isUndone: Bool
        /// `true` if undo skips the change: see ``TagJournal/abandon(_:)``.
        public let isAbandoned: Bool
        /// `true` if the change can still be undone: it is neither undone nor abandoned.
        public var isOpen: Bool { !isUndone && !isAbandoned }
    }

    /// The address of the journal file.
    public let url: URL
    let queue = DispatchQueue(label: "earshot.albums.journal", qos: .userInitiated)
    let file: RawFile
    private(set) var contents: JournalContents

    /// Opens a journal, or creates it if the file does not exist.
    ///
    /// - Parameters:
    ///   - url: The journal file. Its folder must exist.
    ///   - root: The folder that all changes are in; stored in a new journal. Undoing ignores files outside it. `nil`
    ///     for any files.
    /// - Throws: `storeUnavailable` if another process has opened it, `storeDamaged` if it is not a journal or has an
    ///   unknown version, `assetNotFound` if the root does not exist, `writeFailed`.
    public static func open(_ url: URL, root: URL? = nil) async throws(EarshotError) -> TagJournal {
        let queue = DispatchQueue(label: "earshot.albums.journal.opening", qos: .userInitiated)
        let result = await BlockingWork.run(on: queue, cancelling: Cancellation()) { () throws(EarshotError) in
            try TagJournal(opening: url, root: root)
        }
        return try result.get()
    }

    /// Opens a journal, or creates it, on the caller's thread, as ``open(_:root:)`` does.
    ///
    /// - Throws: The errors of ``open(_:root:)``.
    package init(opening url: URL, root: URL? = nil) throws(EarshotError) {
        self.url = url
        let folder: String?
        if let root { folder = try StagedTags.resolved(root) } else { folder = nil }
        do throws(EarshotError) {
            // Whole or not at all, so that the header is never cut short.
            let header = JournalFormat.header(milliseconds: Self.now(), root: folder)
            try AtomicFile.write(header, to: url, replacing: false, mode: 0o600)
        } catch  where error.code == .destinationExists {
            // It goes on.
        }
        let file = try RawFile(writing: url.path)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw EarshotError(
                .storeUnavailable,
                "The journal \(url.path) is in use by another program: wait until it has ended."
            )
        }
        self.file = file
        contents = try JournalContents(size: try file.size(), name: url.path) { count, offset throws(EarshotError) in
            try file.read(count, at: offset)
        }
    }

    deinit {
        flock(file.descriptor, LOCK_UN)
    }

    /// The folder that all changes are in; `nil` if the journal was created without one.
    public var root: URL? { contents.root.map { URL(fileURLWithPath: $0, isDirectory: true) } }

    /// Returns the changes in the journal, in the order in which they were made.
    public func changes() async -> [Change] {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: contents.entries.map(Change.init)) }
        }
    }

    /// Reads the changes in a journal file without opening it for writing, so it may be in use by another process.
    ///
    /// - Parameter url: The journal file.
    /// - Returns: The changes in order; if records are damaged, those that can be read.
    /// - Throws: `assetNotFound`, `assetUnreadable`, and `storeDamaged` if it is not a journal, or has an unknown
    ///   version.
    public static func changes(at url: URL) async throws(EarshotError) -> [Change] {
        let queue = DispatchQueue(label: "earshot.albums.journal.listing", qos: .userInitiated)
        let result = await BlockingWork.run(on: queue, cancelling: Cancellation()) { () throws(EarshotError) in
            let file = try RawFile(reading: url.path)
            let contents = try JournalContents(size: try file.size(), name: url.path) {
                (count, offset) throws(EarshotError) in try file.read(count, at: offset)
            }
            return contents.entries.map(Change.init)
        }
        return try result.get()
    }

    /// Reads the changes in the bytes of a journal, such as a copy.
    ///
    /// - Parameter bytes: The contents of the journal file.
    /// - Returns: The changes in order; if records are damaged, those that can be read.
    /// - Throws: `storeDamaged` if it is not a journal, or has an unknown version.
    public static func changes(in bytes: [UInt8]) throws(EarshotError) -> [Change] {
        let contents = try JournalContents(size: bytes.count, name: "given") { count, offset in
            let start = min(offset, bytes.count)
            return Array(bytes[start..<min(start + count, bytes.count)])
        }
        return contents.entries.map(Change.init)
    }

    static func now() -> Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }

    // MARK: - Growing

    /// Writes a change down with what leads back to the old bytes, and flushes it to the disk.
    ///
    /// The delta is applied once before, and where it does not give the old bytes, those are kept as they are.
    ///
    /// - Parameters:
    ///   - files: The file as it was and as it will be; absent where its bytes stay.
    ///   - change: Makes the change of its number and the size of the delta.
    /// - Throws: `writeFailed`, `storeDamaged` when the journal cannot be continued.
    func append(
        _ files: (old: RawFile, new: RawFile)?,
        old oldDigest: FileDigest,
        change: (_ number: UInt64, _ deltaSize: UInt64) -> JournalChange
    ) throws(EarshotError) -> JournalChange {
        guard contents.rest != .damaged, contents.damagedRecords == 0 else {
            throw EarshotError(
                .storeDamaged,
                "The journal \(url.path) is damaged and not continued: undo what it still holds, and begin another."
            )
        }
        let start = contents.end
        // What an unfinished record left must not stand behind the new ones.
        try truncate(start)
        var parts: [Range<Int>] = []
        if let files {
            parts = try write(from: start) { emit throws(EarshotError) in
                try ReverseDelta.make(old: files.old, new: files.new, emit: emit)
            }
            if try !leads(parts, from: files.new, to: oldDigest) {
                try truncate(start)
                parts = try write(from: start) { emit throws(EarshotError) in
                    try ReverseDelta.whole(files.old, emit: emit)
                }
                guard try leads(parts, from: files.new, to: oldDigest) else {
                    throw EarshotError(.fileChanged, "\(files.old.path) was changed while it was read: try again.")
                }
            }
        }
        let number = (contents.entries.last?.change.number ?? 0) + 1
        let change = change(number, UInt64(parts.reduce(0) { $0 + $1.count }))
        var body = ByteWriter()
        change.write(to: &body)
        let place = parts.last.map { $0.upperBound + JournalFormat.checkSize } ?? start
        try finish(JournalFormat.record(.change, body.bytes), at: place)
        contents.add(JournalContents.Entry(change: change, delta: parts, isWhole: true))
        return change
    }

    /// Writes down that a change has been undone, or was never made.
    func markUndone(_ number: UInt64) throws(EarshotError) {
        try mark(.undone, number)
        contents.markUndone(number)
    }

    /// Writes down that a change is not to be undone any more.
    func markAbandoned(_ number: UInt64) throws(EarshotError) {
        try mark(.abandoned, number)
        contents.markAbandoned(number)
    }

    private func mark(_ kind: JournalFormat.Kind, _ number: UInt64) throws(EarshotError) {
        // Behind a place that cannot be read nothing would be found again; undoing once more does no harm.
        guard contents.rest != .damaged else { return }
        var body = ByteWriter()
        body.write(number)
        try truncate(contents.end)
        try finish(JournalFormat.record(kind, body.bytes), at: contents.end)
    }

    /// Gives the old bytes of a change in pieces.
    func restore(
        _ parts: [Range<Int>],
        from new: RawFile,
        size: Int,
        output: ([UInt8]) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        var application = try DeltaApplication(new, oldSize: size)
        for part in parts { try application.apply(try file.read(part.count, at: part.lowerBound), output) }
        try application.finish()
    }

    /// Writes the parts of a delta; gives where they stand.
    private func write(
        from start: Int,
        _ make: (_ emit: ([UInt8]) throws(EarshotError) -> Void) throws(EarshotError) -> Void
    ) throws(EarshotError) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var place = start
        try make { bytes throws(EarshotError) in
            let record = JournalFormat.record(.delta, bytes)
            try self.file.write(record, at: place)
            let body = place + JournalFormat.headSize
            parts.append(body..<body + bytes.count)
            place += record.count
        }
        return parts
    }

    private func leads(
        _ parts: [Range<Int>],
        from new: RawFile,
        to digest: FileDigest
    ) throws(EarshotError) -> Bool {
        var maker = FileDigest.Maker()
        do throws(EarshotError) {
            try restore(parts, from: new, size: digest.size) { maker.update($0) }
        } catch  where error.code == .storeDamaged {
            return false
        }
        return maker.digest == digest
    }

    private func finish(_ record: [UInt8], at place: Int) throws(EarshotError) {
        try file.write(record, at: place)
        try file.synchronize()
        contents.move(end: place + record.count)
    }

    private func truncate(_ size: Int) throws(EarshotError) {
        guard try file.size() > size else { return }
        guard ftruncate(file.descriptor, off_t(size)) == 0 else { throw RawFile.writeFailure(errno, url.path) }
    }
}

extension TagJournal.Change {
    init(_ entry: JournalContents.Entry) {
        let change = entry.change
        number = Int(clamping: change.number)
        date = Date(timeIntervalSince1970: Double(change.milliseconds) / 1000)
        oldURL = URL(fileURLWithPath: change.oldPath)
        newURL = URL(fileURLWithPath: change.newPath)
        changesBytes = !change.keepsBytes
        deltaSize = Int(clamping: change.deltaSize)
        isUndone = entry.isUndone
        isAbandoned = entry.isAbandoned
    }
}
