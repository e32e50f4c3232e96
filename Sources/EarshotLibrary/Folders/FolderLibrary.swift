public import EarshotCore
public import EarshotMedia
public import Foundation
import Synchronization

/// The music below a folder as a library. Nothing in the folder is ever changed.
///
/// ``scan()`` looks through the folder, reads each new file once, and fills ``index``, which answers meanwhile from what is in it by
/// then. What was read is kept in a ``FolderStore``: a later scan opens only files that are new or changed, and tells apart which
/// were renamed, moved, changed and removed.
///
/// The identifier of an item is made of a digest of its encoded audio, and stays when the file is
/// renamed, moved or tagged anew. Where two files have the same digest, all of their audio is compared: with other sound the later
/// one gets an identifier of the whole digest; with the same sound but on another album one that its tags distinguish; and
/// with the same sound on the same album it is a copy, and no item of its own. An identifier, once given, is kept.
public final class FolderLibrary: MusicLibrary {
    /// How a folder is read.
    public struct Options: Hashable, Sendable {
        /// The encoding of texts in tags that do not say which they have; nothing guesses it for each file.
        public var legacyEncoding: LegacyEncoding?
        /// How many files are read side by side; by default one less than there are processors, and at least one, so that
        /// whoever asks meanwhile does not wait.
        public var width = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)

        /// `true` if links that lead out of the folder are passed over, for folders that not only their owner puts
        /// files into.
        public var staysInside = false
        /// `true` if a file whose tags have no title is found in the index by its name.
        public var titlesFromNames = false

        /// The usual ways.
        public init() {}
    }

    /// The folder.
    public let folder: URL
    /// What is found of it so far, to be asked at any time.
    public let index: LiveLibraryIndex
    let top: String
    let store: any FolderStore
    let options: Options
    let reader: FolderReader
    /// The scan that goes on, for which the next one waits.
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// A library of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - store: What keeps what was read; several folders may share it.
    ///   - index: What is filled; several folders may share it.
    ///   - options: How it is read.
    public convenience init(
        _ folder: URL,
        store: any FolderStore = MemoryFolderStore(),
        index: LiveLibraryIndex = LiveLibraryIndex(),
        options: Options = Options()
    ) {
        self.init(folder, store: store, index: index, options: options, reader: .files)
    }

    /// A library whose files are read in another way.
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

    /// Brings the index and the store into step with the folder. The call returns at once; ending the stream, or its task, ends the
    /// scan, and what was read by then is kept. A second scan waits for the first one.
    ///
    /// - Returns: What happens. It throws what concerns all: `assetNotFound` for a folder that is not there or, though music
    ///   of it is known, empty, as one is whose disk is not mounted; `libraryAccessDenied` for one that may not be read; what the
    ///   store throws; `cancelled`.
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

    /// All items that are known, in the order of their paths. Nothing is looked up in the folder: ``scan()`` does that.
    ///
    /// - Throws: What the store throws.
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

    /// The item of an identifier, from the index.
    public func item(_ id: ItemID) async throws(EarshotError) -> MusicItem? {
        await index.item(id)
    }

    func isBelow(_ path: String) -> Bool {
        top == "/" || path.utf8.starts(with: (top + "/").utf8)
    }

    /// How files are read, for the records: what the tags are taken for, and a version that goes up when more is read of them.
    var reading: String { "1 " + (options.legacyEncoding?.rawValue ?? "") }
}
