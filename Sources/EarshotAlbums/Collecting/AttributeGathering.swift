import EarshotCatalogs
import EarshotCore
import Foundation

/// Reads many files, several at once, and only those that have changed since they were last read.
struct AttributeGathering: Sendable {
    struct Gathered: Sendable {
        var attributes: [FileAttributes] = []
        var stamps: [String: FileStamp] = [:]
        var failures: [FileFailure] = []
    }

    let evidence: AlbumEvidence
    let readers: Int
    let cache: (any LibraryCache)?

    /// After how many files what was read is kept: what a run that ends in the middle loses.
    private static let batch = 50
    /// What is held in memory of files whose rest is kept: sound takes ten times as much as words.
    private static let light = AlbumEvidence.all.subtracting([.sound, .fingerprints])

    func gather(
        _ files: [MusicFolder.File],
        _ report: @escaping @Sendable (AlbumEvent) -> Void
    ) async throws(EarshotError) -> Gathered {
        var gathered = Gathered()
        var seen: Set<String> = []
        for file in files {
            guard seen.insert(file.id).inserted else {
                throw EarshotError(.requestInvalid, "\(file.id) is named twice: name each file once.")
            }
            gathered.stamps[file.id] = Self.stamp(file)
        }
        var outcomes = [Outcome?](repeating: nil, count: files.count)
        var open: [Int] = []
        for first in stride(from: 0, to: files.count, by: Self.batch) {
            let batch = first..<min(files.count, first + Self.batch)
            let stamps = batch.compactMap { gathered.stamps[files[$0].id] }
            let known = try await cache?.attributes(of: stamps, evidence: evidence) ?? [:]
            for index in batch {
                if let attributes = known[files[index].id] {
                    outcomes[index] = .success(attributes.limited(to: Self.light))
                } else {
                    open.append(index)
                }
            }
        }
        var done = files.count - open.count
        if done > 0 { report(.reading(done, of: files.count)) }
        for first in stride(from: 0, to: open.count, by: Self.batch) {
            let batch = Array(open[first..<min(open.count, first + Self.batch)])
            let begun = done
            let read = try await read(batch.map { files[$0] }) { report(.reading(begun + $0, of: files.count)) }
            done += batch.count
            var kept: [(FileStamp, FileAttributes)] = []
            for (index, outcome) in zip(batch, read) {
                outcomes[index] = outcome
                if case .success(let attributes) = outcome, let stamp = gathered.stamps[attributes.id], cache != nil {
                    kept.append((stamp, attributes))
                    outcomes[index] = .success(attributes.limited(to: Self.light))
                }
            }
            try await cache?.keep(kept, evidence: evidence)
        }
        for (file, outcome) in zip(files, outcomes) {
            switch outcome {
            case .success(let attributes)?: gathered.attributes.append(attributes)
            case .failure(let error)?: gathered.failures.append(FileFailure(file: file.id, error))
            case nil: break
            }
        }
        return gathered
    }

    private typealias Outcome = Result<FileAttributes, EarshotError>

    private struct Numbered: Sendable {
        var number: Int
        var outcome: Outcome
    }

    private static func outcome(of file: MusicFolder.File, _ reader: AttributeReader) async -> Outcome {
        do throws(EarshotError) {
            return .success(try await reader.attributes(of: file))
        } catch {
            return .failure(error)
        }
    }

    private func read(
        _ files: [MusicFolder.File],
        _ progress: @escaping @Sendable (Int) -> Void
    ) async throws(EarshotError) -> [Outcome] {
        let reader = AttributeReader(evidence)
        var outcomes = [Outcome?](repeating: nil, count: files.count)
        await withTaskGroup(of: Numbered.self) { group in
            var next = 0
            func begin() {
                guard next < files.count, !Task.isCancelled else { return }
                let (file, number) = (files[next], next)
                next += 1
                group.addTask { Numbered(number: number, outcome: await Self.outcome(of: file, reader)) }
            }
            for _ in 0..<max(1, readers) { begin() }
            var done = 0
            for await read in group {
                outcomes[read.number] = read.outcome
                done += 1
                progress(done)
                begin()
            }
        }
        guard !Task.isCancelled else { throw EarshotError(.cancelled, "The identification was cancelled.") }
        return outcomes.compactMap(\.self)
    }

    private static func stamp(_ file: MusicFolder.File) -> FileStamp? {
        let path = file.url.resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let size = found[.size] as? NSNumber, let modified = found[.modificationDate] as? Date
        else { return nil }
        return FileStamp(
            file: file.id,
            size: size.int64Value,
            modified: Int64((modified.timeIntervalSince1970 * 1e9).rounded())
        )
    }
}
