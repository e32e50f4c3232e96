import Earshot
import Foundation

/// The changes that a build makes to its catalog.
extension CatalogBuild {
    /// Brings references of exported folders into the catalog, as they are.
    ///
    /// - Returns: The number of references that the catalog has in the same state already.
    func take(
        _ entries: [ExportedFolder.Entry],
        _ assignment: ItemAssignment?,
        _ writer: CatalogWriter,
        _ report: inout Report
    ) throws -> Int {
        var unchanged = 0
        var seen: Set<ReferenceID> = []
        for start in stride(from: 0, to: entries.count, by: CatalogWriter.batchCount) {
            var additions: [Catalog.Addition] = []
            var files: [ReferenceID: MusicFile] = [:]
            for entry in entries[start...].prefix(CatalogWriter.batchCount) {
                let file = MusicFile(url: entry.file, id: entry.id)
                do throws(EarshotError) {
                    guard seen.insert(entry.id).inserted else {
                        throw EarshotError(
                            .referenceExists,
                            "\(entry.file.path): another of the folders has a reference \(entry.id) too: name one of them."
                        )
                    }
                    let read = try entry.addition()
                    let items = try assignment?.items(for: entry.id, over: read.items) ?? read.items
                    if let old = try writer.catalog.reference(entry.id), old.signature == read.signature,
                        old.items == items
                    {
                        unchanged += 1
                        continue
                    }
                    additions.append(Catalog.Addition(id: entry.id, signature: read.signature, items: items))
                    files[entry.id] = file
                } catch {
                    report.skipped.append(IngestFailure(file, error))
                }
            }
            try commit(additions, of: files, writer, &report)
        }
        return unchanged
    }

    /// Files that the catalog does not have in their present state.
    func unfinished(_ files: [MusicFile], in catalog: Catalog) throws -> [MusicFile] {
        try files.filter { file in
            guard let stamp = try? SourceStamp.stamp(of: file.url) else { return true }
            return try catalog.reference(file.id)?.items.first?[.sourceStamp]?.string != stamp
        }
    }

    /// Brings files into the catalog, batch by batch where it is a store.
    func take(
        _ files: [MusicFile],
        _ assignment: ItemAssignment?,
        _ partial: PartialFolder,
        _ writer: CatalogWriter,
        _ report: inout Report
    ) async throws {
        observe(.began(fileCount: files.count))
        defer { observe(.ended) }
        let jobs = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
        var size = files.count
        if case .store = writer.form { size = CatalogWriter.batchCount }
        var rest = files[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let outcome = try await SignatureWorker(files: part, partial: partial, jobs: jobs, observe: observe).run()
            report.resumed += outcome.resumed
            report.skipped += outcome.failures
            report.durationWarnings += outcome.durationWarnings
            report.audioSeconds += outcome.audioSeconds
            // Signatures of all files together may not fit into the memory.
            for start in stride(from: 0, to: outcome.finished.count, by: CatalogWriter.batchCount) {
                let files = outcome.finished[start...].prefix(CatalogWriter.batchCount)
                try commit(Array(files), assignment, partial, writer, &report)
            }
            if case .store = writer.form { outcome.finished.forEach(partial.discard) }
        }
    }

    func commit(
        _ files: [MusicFile],
        _ assignment: ItemAssignment?,
        _ partial: PartialFolder,
        _ writer: CatalogWriter,
        _ report: inout Report
    ) throws {
        var additions: [Catalog.Addition] = []
        var urls: [ReferenceID: MusicFile] = [:]
        for file in files {
            do {
                let part = try partial.load(file)
                var items = [part.item]
                if let old = try writer.catalog.reference(file.id) {
                    // What a person has set, and tags do not say, is kept.
                    let kept = (old.items.first?.properties ?? [:]).merging(part.item.properties) { _, new in new }
                    items = [try MediaItem(properties: kept)] + old.items.dropFirst()
                }
                items = try assignment?.items(for: file.id, over: items) ?? items
                additions.append(Catalog.Addition(id: file.id, signature: part.signature, items: items))
                urls[file.id] = file
            } catch let error as EarshotError {
                report.skipped.append(IngestFailure(file, error))
            }
        }
        try commit(additions, of: urls, writer, &report)
    }

    /// Adds references to the catalog, in the place of those of the same name, and counts them.
    func commit(
        _ additions: [Catalog.Addition],
        of files: [ReferenceID: MusicFile],
        _ writer: CatalogWriter,
        _ report: inout Report
    ) throws {
        for part in CatalogWriter.batches(additions) {
            let old = Set(part.map(\.id).filter(writer.catalog.contains))
            let batch = CatalogWriter.Batch(removals: old.sorted(), additions: part)
            for outcome in try writer.commit(batch) {
                report.duplicates += outcome.notes
                report.removed += outcome.replaced.count
                if let failure = outcome.failure, let file = files[outcome.id] {
                    report.skipped.append(IngestFailure(file, failure))
                } else if outcome.isAdded {
                    if old.contains(outcome.id) { report.replaced += 1 } else { report.added += 1 }
                }
            }
        }
    }

    /// Brings what a table says into references whose files have not changed.
    func change(
        _ assignment: ItemAssignment,
        except fresh: Set<ReferenceID>,
        _ writer: CatalogWriter,
        _ report: inout Report
    ) throws {
        var additions: [Catalog.Addition] = []
        for id in assignment.ids where !fresh.contains(id) {
            guard let old = try writer.catalog.reference(id) else { continue }
            let items = try assignment.items(for: id, over: old.items)
            guard items != old.items else { continue }
            additions.append(Catalog.Addition(id: id, signature: old.signature, items: items))
        }
        for part in CatalogWriter.batches(additions) {
            // They were in the catalog before: whether they are duplicates has been asked already.
            let batch = CatalogWriter.Batch(removals: part.map(\.id), additions: part, duplicates: .ignore)
            if let failure = try writer.commit(batch).lazy.compactMap(\.failure).first { throw failure }
        }
        report.changedItems = additions.count
    }
}
