public import EarshotCore
public import EarshotMedia
public import Foundation
import Synchronization

/// The music below a folder as a library. Nothing in the folder is ever changed.
///
/// ``scan()`` walks the folder, reads each new file once, and fills ``index``, which can be searched meanwhile. Records
/// are kept in a ``FolderStore``: a later scan opens only new and changed files, and detects renamed, moved, changed
/// and removed ones.
///
/// The identifier of an item is made from a digest of its encoded audio, so it stays the same when the file is renamed,
/// moved or tagged. If two files have the same digest, all of their audio is compared. If it differs, the later file
/// gets an identifier of the whole digest. If it is the same but on another album, the tags distinguish the
/// identifiers; on the same album it is a copy, and not an item of its own. An identifier never changes.
public final class FolderLibrary: MusicLibrary {
    /// The options of reading a folder.
    public struct Options: Hashable, Sendable {
        /// The encoding of text in tags that do not state their own. It is never guessed.
        public var legacyEncoding: LegacyEncoding?
        /// The number of files read concurrently. Default: one less than there are processors, and at least one, so
        /// that searches are not delayed.
        public var width = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)

        /// `true` to skip links that lead out of the folder, for folders to which others can add files.
        public var staysInside = false
        /// `true` to use the file name as the title in the index if the tags have none.
        public var titlesFromNames = false

        /// Creates the default options.
        public init() {}
    }

    /// The folder.
    public let folder: URL
    /// The index of the items found so far. It can be searched at any time.
    public let index: LiveLibraryIndex
    let top: String
    let store: any FolderStore
    let options: Options
    let reader: FolderReader
    /// The scan that goes on, for which the next one waits.
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Creates the library of a folder. Call ``scan()`` to fill it.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - store: The store of the records; several folders may share it.
    ///   - index: The index to fill; several folders may share it.
    ///   - options: The options of reading.
    public convenience init(
        _ folder: URL,
        store: any FolderStore = MemoryFolderStore(),
        index: LiveLibraryIndex = LiveLibraryIndex(),
        options: Options = Options()
    ) {
        self.init(folder, store: store, index: index, options: options, reader: .files)
    }

    /// Creates a library with a custom file reader.
    package init(
        _ folder: URL,
        store: any FolderStore,
        index: LiveLibraryIndex,
        options: Options,
        reader: FolderReader
    ) {
        self.folder = folder
        (self.store, self.index, self.options, self.reader) = (store, index, options, reader)
        let path = folder.standardizedFileURL.path
        top = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Updates the index and the store from the folder. The call returns at once. Ending the stream, or its task, ends
    /// the scan; records made until then are kept. A second scan waits for the first one.
    ///
    /// - Returns: The events of the scan. It throws errors that concern the whole folder: `assetNotFound` if it does
    ///   not exist, or is empty although items are known, as when its disk is not mounted; `libraryAccessDenied` if it
    ///   cannot be read; the store's errors; `cancelled`.
    public func scan() -> AsyncThrowingStream<FolderScanEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: FolderScanEvent.self)
        let task = last.withLock { last in
            let before = last
            let task = Task(priority: .utility) {
                await before?.value
                do {
                    var scan = FolderScan(self, continuation)
                    try await scan.run()
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            last = task
            return task
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Returns all items of earlier scans, in the order of their paths, without looking at the folder.
    ///
    /// - Throws: The store's errors.
    public func items() async throws(EarshotError) -> [MusicItem] {
        var items: [MusicItem] = []
        var rest = try await store.known().filter { isBelow($0.path) && $0.audio != nil && !$0.isCopy }.map(\.path)[...]
        while !rest.isEmpty {
            for file in try await store.files(at: Array(rest.prefix(FolderScan.pageSize))) {
                if case .item(let item, _, _) = file.content { items.append(item) }
            }
            rest = rest.dropFirst(FolderScan.pageSize)
        }
        return items
    }

    /// Returns the item with an identifier from the index; `nil` if there is none.
    public func item(_ id: ItemID) async throws(EarshotError) -> MusicItem? {
        await index.item(id)
    }

    func isBelow(_ path: String) -> Bool {
        top == "/" || path.utf8.starts(with: (top + "/").utf8)
    }

    /// The method of reading in records: the encoding of tags, and a version that increases when more is read.
    var reading: String { "1 " + (options.legacyEncoding?.rawValue ?? "") }
}
