package import Earshot
package import Foundation

/// Makes or brings up to date a catalog from folders of music.
package struct CatalogBuild {
    /// What was done, for people and programs.
    package struct Report: Encodable {
        package var catalog: String
        package var references = 0
        package var added = 0
        package var replaced = 0
        package var removed = 0
        package var unchanged = 0
        package var resumed = 0
        package var skipped: [Ingest.Failure] = []
        /// Files whose sound is not as long as they declare.
        package var durationWarnings: [DurationWarning] = []
        package var duplicates: [DuplicateNote] = []
        /// References whose media items a table has changed.
        package var changedItems = 0
        /// Files that a table of media items names and that are not there.
        package var unknownFiles: [String] = []
        package var audioSeconds = 0.0
        package var seconds = 0.0
        package var bytes = 0
    }

    package let destination: URL
    package let jobs: Int
    package let duplicates: DuplicatePolicy
    /// What is said about the files beside their tags.
    package var items: ItemTable?
    /// The time to wait for another program that changes the catalog.
    package var patience: LockPatience

    package init(
        destination: URL,
        jobs: Int,
        duplicates: DuplicatePolicy,
        items: ItemTable? = nil,
        patience: LockPatience
    ) {
        self.destination = destination
        self.jobs = jobs
        self.duplicates = duplicates
        self.items = items
        self.patience = patience
    }

    /// Makes a new catalog; what an interrupted run has done is used.
    ///
    /// - Parameters:
    ///   - paths: Folders and files of music, and folders that were exported from catalogs.
    ///   - limits: Gives the shortest and longest query, from those of the first folder that was exported, or the standard ones.
    /// - Throws: `destinationExists` when there is one already.
    package func create(
        from paths: [String],
        limits: (QueryLimits) -> QueryLimits
    ) async throws -> Report {
        // A store that an interrupted run has begun has the folder of that run beside it.
        let isBegun = CatalogStore.exists(at: destination) && PartialFolder.exists(for: destination)
        guard isBegun || !FileManager.default.fileExists(atPath: destination.path) else {
            throw EarshotError(
                .destinationExists,
                "\(destination.path) exists already: choose another name, or bring it up to date with "
                    + "`earshot catalog update`."
            )
        }
        let start = Date()
        let (found, exported) = try Self.sources(paths)
        let entries = exported.flatMap(\.entries)
        let assignment = try items.map { table throws(EarshotError) in
            try ItemAssignment(table, files: found.files, ids: entries.map(\.id))
        }
        let partial = try PartialFolder(for: destination)
        let writer = try CatalogWriter(
            creating: destination,
            limits: limits(exported.first?.limits ?? .standard),
            duplicates: duplicates,
            workshop: partial.workshop,
            patience: patience
        )
        var report = Report(catalog: destination.path, skipped: found.failures)
        let files = isBegun ? try unfinished(found.files, in: writer.catalog) : found.files
        report.resumed = found.files.count - files.count
        report.added = report.resumed
        report.unknownFiles = assignment?.unknown.map(\.file) ?? []
        // What is there already, an interrupted run has brought.
        let there = try take(entries, assignment, writer, &report)
        report.resumed += there
        report.added += there
        try await take(files, assignment, partial, writer, &report)
        guard !writer.catalog.isEmpty else {
            partial.remove()
            throw EarshotError(
                .assetUnreadable,
                "None of \(DisplayText.plural(found.files.count + entries.count, "file", "files")) could be taken; the first: "
                    + (report.skipped.first?.message ?? "")
            )
        }
        try writer.finish()
        partial.remove()
        return finished(report, writer.catalog, since: start)
    }

    /// Adds what is new to a catalog, and replaces what has changed.
    ///
    /// - Parameters:
    ///   - paths: Folders and files of music, and folders that were exported from catalogs. References from folders that
    ///     are not named stay as they are.
    ///   - removesMissing: Whether references are removed whose file below one of these folders is gone. What was not
    ///     made from a file, and what lies below a folder that could not be read, stays.
    package func update(from paths: [String], removesMissing: Bool) async throws -> Report {
        let start = Date()
        let writer = try CatalogWriter(changing: destination, duplicates: duplicates, patience: patience)
        let (found, exported) = try Self.sources(paths)
        let entries = exported.flatMap(\.entries)
        let assignment = try items.map { table throws(EarshotError) in
            try ItemAssignment(table, files: found.files, ids: writer.catalog.referenceIDs + entries.map(\.id))
        }
        let partial = try PartialFolder(for: destination)
        var report = Report(catalog: destination.path, skipped: found.failures)
        let stale = try unfinished(found.files, in: writer.catalog)
        report.unchanged = found.files.count - stale.count
        if removesMissing {
            // First, so that a file that was moved is not taken for a duplicate of itself.
            var gone: [ReferenceID] = []
            let present = Set(found.files.map(\.id)).union(entries.map(\.id))
            for id in writer.catalog.referenceIDs where !present.contains(id) {
                guard found.covers(id), try writer.catalog.reference(id)?.items.first?[.sourceStamp] != nil else {
                    continue
                }
                gone.append(id)
            }
            _ = try writer.commit(CatalogWriter.Batch(removals: gone))
            report.removed = gone.count
        }
        report.unknownFiles = assignment?.unknown.map(\.file) ?? []
        report.unchanged += try take(entries, assignment, writer, &report)
        try await take(stale, assignment, partial, writer, &report)
        if let assignment {
            try change(assignment, except: Set(stale.map(\.id) + entries.map(\.id)), writer, &report)
        }
        try writer.finish()
        partial.remove()
        return finished(report, writer.catalog, since: start)
    }

    /// Finds the files of music below folders, and the folders that were exported from catalogs.
    private static func sources(_ paths: [String]) throws -> (music: MusicFiles, exported: [ExportedFolder]) {
        let isExported = { (path: String) in ExportedFolder.exists(at: URL(fileURLWithPath: path)) }
        let exported = try paths.filter(isExported).map { try ExportedFolder(URL(fileURLWithPath: $0)) }
        let music = paths.filter { !isExported($0) }
        return (music.isEmpty && !exported.isEmpty ? MusicFiles() : try MusicFiles(music), exported)
    }

    /// Brings references of exported folders into the catalog, as they are.
    ///
    /// - Returns: The number of references that the catalog has in the same state already.
    private func take(
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
                    report.skipped.append(Ingest.failure(file, error))
                }
            }
            try commit(additions, of: files, writer, &report)
        }
        return unchanged
    }

    /// Files that the catalog does not have in their present state.
    private func unfinished(_ files: [MusicFile], in catalog: Catalog) throws -> [MusicFile] {
        try files.filter { file in
            guard let stamp = try? SourceStamp.stamp(of: file.url) else { return true }
            return try catalog.reference(file.id)?.items.first?[.sourceStamp]?.string != stamp
        }
    }

    /// Brings files into the catalog, batch by batch where it is a store.
    private func take(
        _ files: [MusicFile],
        _ assignment: ItemAssignment?,
        _ partial: PartialFolder,
        _ writer: CatalogWriter,
        _ report: inout Report
    ) async throws {
        let interruption = Interruption(
            "Interrupted. What is done is kept in \(destination.lastPathComponent).partial: the same command goes on there."
        )
        defer { withExtendedLifetime(interruption) {} }
        let bar = ProgressBar(total: files.count)
        defer { bar.finish() }
        var size = files.count
        if case .store = writer.form { size = CatalogWriter.batchCount }
        var rest = files[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let outcome = try await Ingest(files: part, partial: partial, jobs: jobs, bar: bar).run()
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

    private func commit(
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
                report.skipped.append(Ingest.failure(file, error))
            }
        }
        try commit(additions, of: urls, writer, &report)
    }

    /// Adds references to the catalog, in the place of those of the same name, and counts them.
    private func commit(
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
                    report.skipped.append(Ingest.failure(file, failure))
                } else if outcome.isAdded {
                    if old.contains(outcome.id) { report.replaced += 1 } else { report.added += 1 }
                }
            }
        }
    }

    /// Brings what a table says into references whose files have not changed.
    private func change(
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

    private func finished(_ report: Report, _ catalog: Catalog, since start: Date) -> Report {
        var report = report
        report.references = catalog.count
        report.seconds = Date().timeIntervalSince(start)
        report.skipped.sort { $0.file < $1.file }
        let size = try? FileManager.default.attributesOfItem(atPath: destination.path)[.size] as? Int
        report.bytes = CatalogStore.exists(at: destination) ? catalog.byteCount : size ?? 0
        return report
    }
}
