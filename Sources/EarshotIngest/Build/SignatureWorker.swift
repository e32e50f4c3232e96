import Earshot
import Foundation
import Synchronization

/// Makes signatures of many files, on all cores, and keeps each as soon as it is done.
package struct SignatureWorker: Sendable {
    /// The result of the work.
    package struct Outcome: Sendable {
        /// Files that have a part now, in order of name.
        package var finished: [MusicFile] = []
        package var failures: [IngestFailure] = []
        package var durationWarnings: [DurationWarning] = []
        /// Files that an earlier run had done.
        package var resumed = 0
        package var audioSeconds = 0.0
    }

    package let files: [MusicFile]
    package let partial: PartialFolder
    package let jobs: Int
    /// Told of each file.
    package let observe: @Sendable (CatalogBuild.Event) -> Void

    /// Runs to the end. A file that fails does not stop the others.
    ///
    /// - Throws: Errors that concern all files, such as a full disk.
    package func run() async throws -> Outcome {
        var outcome = Outcome()
        var open: [(file: MusicFile, stamp: String)] = []
        for file in files {
            do {
                let stamp = try SourceStamp.stamp(of: file.url)
                if partial.contains(file, stamp: stamp) {
                    outcome.resumed += 1
                    outcome.finished.append(file)
                } else {
                    open.append((file, stamp))
                }
            } catch {
                outcome.failures.append(IngestFailure(file, error))
            }
        }
        observe(.skipped(fileCount: files.count - open.count))
        let queue = WorkQueue(open)
        let results = try await withThrowingTaskGroup(of: [Result].self) { group in
            for _ in 0..<max(1, jobs) {
                group.addTask {
                    var done: [Result] = []
                    while let (file, stamp) = queue.next() {
                        try Task.checkCancellation()
                        let result = try await process(file, stamp: stamp)
                        observe(.read(file.url, audio: MediaTime(seconds: result.audioSeconds)))
                        done.append(result)
                    }
                    return done
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for result in results {
            outcome.audioSeconds += result.audioSeconds
            if let failure = result.failure {
                outcome.failures.append(failure)
            } else {
                outcome.finished.append(result.file)
            }
            if let warning = result.durationWarning { outcome.durationWarnings.append(warning) }
        }
        outcome.finished.sort { $0.id < $1.id }
        outcome.failures.sort { $0.file < $1.file }
        outcome.durationWarnings.sort { $0.file < $1.file }
        return outcome
    }

    private struct Result: Sendable {
        var file: MusicFile
        var audioSeconds = 0.0
        var failure: IngestFailure?
        var durationWarning: DurationWarning?
    }

    /// Hands out the files one by one.
    private final class WorkQueue: Sendable {
        private let items: [(file: MusicFile, stamp: String)]
        private let position = Mutex(0)

        init(_ items: [(file: MusicFile, stamp: String)]) { self.items = items }

        func next() -> (file: MusicFile, stamp: String)? {
            position.withLock { position in
                guard position < items.count else { return nil }
                defer { position += 1 }
                return items[position]
            }
        }
    }

    private func process(_ file: MusicFile, stamp: String) async throws -> Result {
        let signed: SignedFile
        do {
            signed = try await SignedFile(file.url)
        } catch let error as EarshotError where error.code != .cancelled {
            return Result(file: file, failure: IngestFailure(file, error))
        }
        try partial.store(
            signed.signature,
            item: signed.tags ?? MediaItem(properties: [:]),
            stamp: stamp,
            of: file
        )
        return Result(
            file: file,
            audioSeconds: signed.signature.duration.seconds,
            durationWarning: signed.durationWarning
        )
    }
}
