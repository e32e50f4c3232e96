public import EarshotCore
public import Foundation
import Synchronization

/// Watches a folder: a sequence of the changes below it, each delivered once no more follow.
///
/// Folders that are created later are watched too. If the system drops events, the change says so.
public struct FolderWatcher: AsyncSequence, Sendable {
    /// The changes since the previous element.
    public struct Change: Hashable, Sendable {
        /// The paths of files and folders that were written, created, renamed or removed.
        public let paths: Set<String>
        /// `true` if other paths may have changed too, because the system dropped events.
        public let needsRescan: Bool

        /// Creates a change.
        public init(paths: Set<String>, needsRescan: Bool) {
            (self.paths, self.needsRescan) = (paths, needsRescan)
        }
    }

    private let folder: URL
    private let quiet: MediaTime
    private let clock: MediaClock

    /// Creates a watcher of a folder. Watching begins when iteration begins.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - quiet: The time without changes after which they are delivered; continuous changes are delivered after ten
    ///     times that.
    ///   - clock: The clock that measures this time.
    public init(
        _ folder: URL,
        settlingFor quiet: MediaTime = MediaTime(value: 1, timescale: 1),
        clock: MediaClock = .system
    ) {
        (self.folder, self.quiet, self.clock) = (folder, quiet, clock)
    }

    /// Starts to watch the folder.
    ///
    /// The iterator throws `assetNotFound` if the folder does not exist, `libraryAccessDenied` if it cannot be read,
    /// `fileTypeUnsupported` on systems that cannot watch folders, and `readFailed` if the system's limit of watched
    /// folders is reached.
    public func makeAsyncIterator() -> AsyncThrowingStream<Change, any Error>.Iterator {
        changes().makeAsyncIterator()
    }

    /// The changes as a stream; watching begins with the call.
    func changes() -> AsyncThrowingStream<Change, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Change.self)
        let settler = ChangeSettler(
            SettlingChanges(quiet: quiet, longest: quiet * 10),
            clock: clock,
            tell: { continuation.yield($0) }
        )
        do throws(EarshotError) {
            let source = try FolderEvents(folder.standardizedFileURL.path) { path in
                settler.noticed(path)
            } failing: {
                continuation.finish(throwing: $0)
            }
            continuation.onTermination = { _ in
                source.stop()
                settler.stop()
            }
        } catch {
            continuation.finish(throwing: error)
        }
        return stream
    }
}

/// Waits until changes have settled.
final class ChangeSettler: Sendable {
    private struct State {
        var changes: SettlingChanges
        var timer: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let clock: MediaClock
    private let tell: @Sendable (FolderWatcher.Change) -> Void

    init(_ changes: SettlingChanges, clock: MediaClock, tell: @escaping @Sendable (FolderWatcher.Change) -> Void) {
        state = Mutex(State(changes: changes))
        (self.clock, self.tell) = (clock, tell)
    }

    func noticed(_ path: String?) {
        state.withLock { state in
            state.changes.noticed(path, at: clock.now)
            guard state.timer == nil else { return }
            state.timer = Task { [self] in await wait() }
        }
    }

    func stop() {
        state.withLock { $0.timer }?.cancel()
    }

    @concurrent
    private func wait() async {
        while let deadline = state.withLock({ $0.changes.deadline }) {
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return
            }
            let (change, isOver) = state.withLock { state in
                let change = state.changes.settled(at: clock.now)
                // What comes from here on begins another wait.
                if state.changes.deadline == nil { state.timer = nil }
                return (change, state.timer == nil)
            }
            if let change { tell(change) }
            if isOver { return }
        }
    }
}
