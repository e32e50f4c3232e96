import Earshot
import Foundation

/// Makes or brings up to date a catalog file from folders of music.
struct CatalogBuild {
    /// What was done, for people and programs.
    struct Report: Encodable {
        var catalog: String
        var references: Int
        var added: Int
        var replaced = 0
        var removed = 0
        var unchanged = 0
        var resumed: Int
        var skipped: [Ingest.Failure]
        var audioSeconds: Double
        var seconds: Double
        var bytes: Int
    }

    let destination: URL
    let jobs: Int

    /// Makes a new catalog; what an interrupted run has done is used.
    ///
    /// - Throws: `destinationExists` when there is one already.
    func create(from paths: [String], limits: Catalog.QueryLimits) async throws -> Report {
        guard !FileManager.default.fileExists(atPath: destination.path) else {
            throw EarshotError(
                .destinationExists,
                "\(destination.path) exists already: choose another name, or bring it up to date with "
                    + "`earshot catalog update`."
            )
        }
        let start = Date()
        let found = try MusicFiles(paths)
        let files = found.files
        let partial = try PartialFolder(for: destination)
        var outcome = try await ingest(files, partial)
        outcome.failures += found.failures
        var catalog = Catalog(queryLimits: limits)
        for file in outcome.finished {
            do {
                let part = try partial.load(file)
                try catalog.add(part.signature, representing: [part.item], id: file.id)
            } catch let error as EarshotError {
                outcome.failures.append(Ingest.failure(file, error))
            }
        }
        guard !catalog.isEmpty else {
            partial.remove()
            throw EarshotError(
                .assetUnreadable,
                "None of \(Wording.plural(files.count, "file", "files")) could be taken; the first: "
                    + (outcome.failures.first?.message ?? "")
            )
        }
        try catalog.write(to: destination)
        partial.remove()
        return report(outcome, of: catalog, added: catalog.count, since: start)
    }

    /// Adds what is new to a catalog, and replaces what has changed.
    ///
    /// - Parameters:
    ///   - paths: Folders of music. Those that the catalog was made from and that are not named stay as they are.
    ///   - removesMissing: Whether references are removed whose file below one of these folders is gone. What was not
    ///     made from a file, and what lies below a folder that could not be read, stays.
    func update(from paths: [String], removesMissing: Bool) async throws -> Report {
        let start = Date()
        let lock = try CatalogLock(destination)
        defer { withExtendedLifetime(lock) {} }
        var catalog = try Catalog(contentsOf: destination)
        let found = try MusicFiles(paths)
        let files = found.files
        let partial = try PartialFolder(for: destination)
        var stale: [MusicFile] = []
        var unchanged = 0
        for file in files {
            let stamp = try? SourceStamp.stamp(of: file.url)
            if let stamp, try catalog.reference(file.id)?.items.first?[.sourceStamp]?.string == stamp {
                unchanged += 1
            } else {
                stale.append(file)
            }
        }
        var outcome = try await ingest(stale, partial)
        outcome.failures += found.failures
        var added = 0
        var replaced = 0
        for file in outcome.finished {
            do {
                let part = try partial.load(file)
                if let old = try catalog.reference(file.id) {
                    // What a person has set, and tags do not say, is kept.
                    let kept = (old.items.first?.properties ?? [:]).merging(part.item.properties) { _, new in new }
                    let items = [try MediaItem(properties: kept)] + old.items.dropFirst()
                    try catalog.replace(file.id, with: part.signature, representing: items)
                    replaced += 1
                } else {
                    try catalog.add(part.signature, representing: [part.item], id: file.id)
                    added += 1
                }
            } catch let error as EarshotError {
                outcome.failures.append(Ingest.failure(file, error))
            }
        }
        var removed = 0
        if removesMissing {
            let present = Set(files.map(\.id))
            for id in catalog.referenceIDs where !present.contains(id) {
                guard found.covers(id), try catalog.reference(id)?.items.first?[.sourceStamp] != nil else { continue }
                try catalog.remove(id)
                removed += 1
            }
        }
        if added + replaced + removed > 0 { try catalog.write(to: destination, replacing: true) }
        partial.remove()
        var report = report(outcome, of: catalog, added: added, since: start)
        report.replaced = replaced
        report.removed = removed
        report.unchanged = unchanged
        return report
    }

    private func ingest(_ files: [MusicFile], _ partial: PartialFolder) async throws -> Ingest.Outcome {
        let interruption = Interruption(
            "Interrupted. What is done is kept in \(destination.lastPathComponent).partial: the same command goes on there."
        )
        defer { withExtendedLifetime(interruption) {} }
        return try await Ingest(files: files, partial: partial, jobs: jobs).run()
    }

    private func report(_ outcome: Ingest.Outcome, of catalog: Catalog, added: Int, since start: Date) -> Report {
        let size = (try? FileManager.default.attributesOfItem(atPath: destination.path)[.size] as? Int) ?? 0
        return Report(
            catalog: destination.path,
            references: catalog.count,
            added: added,
            resumed: outcome.resumed,
            skipped: outcome.failures,
            audioSeconds: outcome.audioSeconds,
            seconds: Date().timeIntervalSince(start),
            bytes: size
        )
    }
}
