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
        let files = try MusicFiles.find(paths)
        guard !files.isEmpty else {
            throw EarshotError(
                .assetNotFound,
                "There is no audio below \(paths.joined(separator: ", ")): name a folder with music in it."
            )
        }
        let partial = try PartialFolder(for: destination)
        let outcome = try await ingest(files, partial)
        guard !outcome.finished.isEmpty else {
            partial.remove()
            throw EarshotError(
                .assetUnreadable,
                "None of \(Wording.plural(files.count, "file", "files")) could be read; the first: "
                    + (outcome.failures.first?.message ?? "")
            )
        }
        var catalog = Catalog(queryLimits: limits)
        for file in outcome.finished {
            let part = try partial.load(file)
            try catalog.add(part.signature, representing: [part.item], id: file.id)
        }
        try catalog.write(to: destination)
        partial.remove()
        return report(outcome, of: catalog, added: outcome.finished.count, since: start)
    }

    /// Adds what is new to a catalog, and replaces what has changed.
    ///
    /// - Parameters:
    ///   - paths: Folders of music, the same as those that the catalog was made from, or more.
    ///   - removesMissing: Whether references whose file is gone are removed.
    func update(from paths: [String], removesMissing: Bool) async throws -> Report {
        let start = Date()
        var catalog = try Catalog(contentsOf: destination)
        let files = try MusicFiles.find(paths)
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
        let outcome = try await ingest(stale, partial)
        var added = 0
        var replaced = 0
        for file in outcome.finished {
            let part = try partial.load(file)
            if catalog.contains(file.id) {
                try catalog.replace(file.id, with: part.signature, representing: [part.item])
                replaced += 1
            } else {
                try catalog.add(part.signature, representing: [part.item], id: file.id)
                added += 1
            }
        }
        var removed = 0
        if removesMissing {
            let present = Set(files.map(\.id))
            for id in catalog.referenceIDs where !present.contains(id) {
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
