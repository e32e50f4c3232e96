public import EarshotCore
package import EarshotMedia
public import Foundation

/// Changes the tags and names of many files, each file atomically, and records the changes in a journal so that they
/// can be undone.
///
/// ```swift
/// let journal = try await TagJournal.open(folder.appendingPathComponent("tags.earjournal"))
/// let outcomes = await TagWriter(journal: journal).write(changes) { print($0.done, "of", $0.total) }
/// ```
public struct TagWriter: Sendable {
    /// A requested change of the tags or the name of one file.
    public struct Change: Sendable {
        /// The address of the file.
        public var file: URL
        /// The change of the file's tags.
        public var edit: TagEdit
        /// The new address; `nil` to keep the old one. An existing file is never replaced: a number is added to the
        /// name instead.
        public var destination: URL?
        /// `true` to fail if another file has the new name, instead of adding a number.
        public var isDestinationFixed = false
        /// The state of the tags for which the change was planned. A file whose tags have changed since is skipped.
        /// `nil` to omit the check.
        public var state: TagState?

        /// Creates a change.
        ///
        /// - Parameters:
        ///   - file: The address of the file.
        ///   - edit: The change of its tags. Default: none.
        ///   - destination: The new address; `nil` to keep the old one.
        ///   - state: The state of the tags for which the change was planned; `nil` to omit the check.
        public init(file: URL, edit: TagEdit = .init(), destination: URL? = nil, state: TagState? = nil) {
            (self.file, self.edit, self.destination, self.state) = (file, edit, destination, state)
        }
    }

    /// The outcome of a requested change.
    public struct Outcome: Sendable {
        /// The change that was requested.
        public let change: Change
        /// The current address of the file.
        public let url: URL
        /// `true` if the file was changed; `false` if its tags and path already had the requested values.
        public let isChanged: Bool
        /// The error that prevented the change; `nil` if there was none. The errors of
        /// ``TagFile/write(_:to:options:)``, `destinationExists`, `fileChanged` if its tags have changed since the
        /// change was planned, or `cancelled`. If the file could not be restored, the message names its present
        /// address.
        public let error: EarshotError?
    }

    /// The progress of writing.
    public struct Progress: Hashable, Sendable {
        /// The number of files that are finished.
        public let done: Int
        /// The number of all files.
        public let total: Int
        /// The next file; `nil` at the end.
        public let file: URL?
    }

    /// The journal that the changes are recorded in.
    public let journal: TagJournal
    /// The folder of the library. Folders inside it that become empty by moves are removed; `nil` to remove none.
    public var root: URL?
    /// The options of writing tags, such as the verification of samples.
    public var options: TagFile.WritingOptions
    /// Told of each step of each file. Tests look at the disk between them.
    var observe: @Sendable (StagedTags.Step) -> Void = { _ in }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - journal: The journal that the changes are recorded in.
    ///   - root: The folder of the library. Folders inside it that become empty by moves are removed; `nil` to remove
    ///     none.
    ///   - options: The options of writing.
    public init(journal: TagJournal, root: URL? = nil, options: TagFile.WritingOptions = .init()) {
        (self.journal, self.root, self.options) = (journal, root, options)
    }

    /// Applies changes one after the other. A failed change leaves its file unchanged and does not stop the others.
    /// After cancellation, the current file is either unchanged or finished, and later ones are not started.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - progress: Called before each file and at the end, on a thread of the journal.
    /// - Returns: The outcome of each change, in the order of the changes.
    public func write(
        _ changes: [Change],
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async -> [Outcome] {
        let cancellation = Cancellation()
        let work = self
        let result = await BlockingWork.run(on: journal.queue, cancelling: cancellation) { () throws(EarshotError) in
            work.writeBlocking(changes, cancellation: cancellation, progress: progress)
        }
        // The work throws nothing.
        return (try? result.get()) ?? []
    }

    /// Applies changes on the caller's thread, which must be the journal's queue, as ``write(_:progress:)`` does.
    package func writeBlocking(
        _ changes: [Change],
        cancellation: Cancellation = .init(),
        progress: (Progress) -> Void = { _ in }
    ) -> [Outcome] {
        var cleaned: Set<String> = []
        var outcomes: [Outcome] = []
        for change in changes {
            progress(Progress(done: outcomes.count, total: changes.count, file: change.file))
            do throws(EarshotError) {
                if cancellation.isCancelled {
                    throw EarshotError(.cancelled, "Writing \(change.file.path) was canceled before it began.")
                }
                var folders = [StagedFile.folder(of: try StagedTags.resolved(change.file))]
                // A move between file systems leaves its half in the other folder.
                if let target = change.destination { folders.append(StagedFile.folder(of: WholePath.of(target.path))) }
                for folder in folders where cleaned.insert(folder).inserted { StagedFile.removeLeftovers(in: folder) }
                let path = try FileChange(change, self, cancellation).carryOut()
                let url = path.map { URL(fileURLWithPath: $0) } ?? change.file
                outcomes.append(Outcome(change: change, url: url, isChanged: path != nil, error: nil))
            } catch {
                outcomes.append(Outcome(change: change, url: change.file, isChanged: false, error: error))
            }
        }
        progress(Progress(done: outcomes.count, total: changes.count, file: nil))
        return outcomes
    }
}
