import EarshotCore
import EarshotRecognition
import Foundation

/// Reads many files, several at once, and only those that have changed since they were last read.
struct TagCollector: Sendable {
    struct Gathered: Sendable {
        var attributes: [FileAttributes] = []
        var stamps: [String: FileCacheKey] = [:]
        var failures: [FileFailure] = []
    }

    let evidence: AlbumEvidence
    let readers: Int
    let cache: (any LibraryCache)?
    /// `true` if everything is read anew.
    let isFresh: Bool

    /// The number of files after which the cache is written: a run that is cut off loses at most so many.
    private static let batch = 50
    /// The attributes that stay in memory once the cache has the rest: sound takes ten times as much as words.
    private static let light = AlbumEvidence.all.subtracting([.sound, .fingerprints])

    private typealias Outcome = Result<FileAttributes, EarshotError>

    func gather(
        _ files: [MusicFolder.File],
        _ report: @escaping @Sendable (AlbumEvent) -> Void
    ) async throws(EarshotError) -> Gathered {
        var seen: Set<String> = []
        for file in files where !seen.insert(file.id).inserted {
            throw EarshotError(.requestInvalid, "\(file.id) is named twice: name each file once.")
        }
        let stamps = try await BlockingWork.run { () throws(EarshotError) in files.map(Self.stamp) }
        var outcomes = try await kept(files, stamps).map { $0.map(Outcome.success) }
        try await read(files, stamps, &outcomes, report)

        var gathered = Gathered()
        for (file, stamp) in zip(files, stamps) { gathered.stamps[file.id] = stamp }
        for (file, outcome) in zip(files, outcomes) {
            switch outcome {
            case .success(let attributes)?: gathered.attributes.append(attributes)
            case .failure(let error)?: gathered.failures.append(FileFailure(file: file.id, error))
            case nil: break
            }
        }
        return gathered
    }

    // MARK: - What is kept

    /// Returns the attributes that earlier runs read of files that have not changed.
    private func kept(
        _ files: [MusicFolder.File],
        _ stamps: [FileCacheKey?]
    ) async throws(EarshotError) -> [FileAttributes?] {
        var found = [FileAttributes?](repeating: nil, count: files.count)
        guard let cache, !isFresh else { return found }
        for first in stride(from: 0, to: files.count, by: Self.batch) {
            let batch = first..<min(files.count, first + Self.batch)
            let known = try await cache.attributes(of: stamps[batch].compactMap(\.self), evidence: evidence)
            for index in batch {
                guard let stamp = stamps[index], var attributes = known[stamp.file] else { continue }
                // The same file may have been read from another top.
                attributes.id = files[index].id
                attributes.path = files[index].path
                found[index] = attributes.limited(to: Self.light.intersection(evidence))
            }
        }
        return found
    }

    private static func stamp(_ file: MusicFolder.File) -> FileCacheKey? {
        let path = file.url.resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let size = found[.size] as? NSNumber, let modified = found[.modificationDate] as? Date
        else { return nil }
        return FileCacheKey(
            file: file.url.standardizedFileURL.path,
            size: size.int64Value,
            modified: Int64((modified.timeIntervalSince1970 * 1e9).rounded())
        )
    }

    // MARK: - What is read

    private struct Numbered: Sendable {
        var number: Int
        var outcome: Outcome
    }

    /// Reads the files that have no outcome yet.
    private func read(
        _ files: [MusicFolder.File],
        _ stamps: [FileCacheKey?],
        _ outcomes: inout [Outcome?],
        _ report: @escaping @Sendable (AlbumEvent) -> Void
    ) async throws(EarshotError) {
        let open = files.indices.filter { outcomes[$0] == nil }
        var done = files.count - open.count
        if done > 0 { report(.reading(done, of: files.count)) }
        let reader = AttributeReader(evidence)
        var failure: EarshotError?
        await withTaskGroup(of: Numbered.self) { group in
            var rest = open[...]
            func begin() {
                guard !Task.isCancelled, let number = rest.popFirst() else { return }
                let file = files[number]
                group.addTask { Numbered(number: number, outcome: await Self.outcome(of: file, reader)) }
            }
            for _ in 0..<max(1, readers) { begin() }
            var unkept: [(FileCacheKey, FileAttributes)] = []
            for await read in group {
                begin()
                outcomes[read.number] = read.outcome
                done += 1
                report(.reading(done, of: files.count))
                guard let cache, let stamp = stamps[read.number], case .success(let attributes) = read.outcome else {
                    continue
                }
                outcomes[read.number] = .success(attributes.limited(to: Self.light))
                unkept.append((stamp, attributes))
                guard unkept.count == Self.batch else { continue }
                failure = await Self.failure { () async throws(EarshotError) in
                    try await cache.keep(unkept, evidence: evidence)
                }
                if failure != nil { return group.cancelAll() }
                unkept = []
            }
            guard let cache, !unkept.isEmpty, !Task.isCancelled else { return }
            failure = await Self.failure { () async throws(EarshotError) in
                try await cache.keep(unkept, evidence: evidence)
            }
        }
        guard !Task.isCancelled else { throw EarshotError(.cancelled, "The identification was canceled.") }
        if let failure { throw failure }
    }

    private static func outcome(of file: MusicFolder.File, _ reader: AttributeReader) async -> Outcome {
        do throws(EarshotError) {
            return .success(try await reader.attributes(of: file))
        } catch {
            return .failure(error)
        }
    }

    private static func failure(of work: () async throws(EarshotError) -> Void) async -> EarshotError? {
        do throws(EarshotError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }
}
