public import Earshot
public import Foundation

/// Makes a catalog from folders of music, or brings one up to date.
///
/// ```swift
/// let build = CatalogBuild(URL(fileURLWithPath: "music.earcat")) { event in
///     if case .read(let file, _) = event { print(file.lastPathComponent) }
/// }
/// let report = try await build.create(from: [URL(fileURLWithPath: "Music")])
/// ```
///
/// Each file's signature is kept beside the catalog as soon as it is made. A run that was interrupted, or whose task was canceled,
/// is resumed by the same call.
public struct CatalogBuild: Sendable {
    /// The catalog: a file, or a store if its suffix is `earstore`.
    public let destination: URL
    /// The options of the build.
    public let options: Options
    let observe: @Sendable (Event) -> Void

    /// Prepares a build.
    ///
    /// - Parameters:
    ///   - destination: The catalog.
    ///   - options: The options of the build.
    ///   - observe: Called for each event, on any thread.
    public init(_ destination: URL, options: Options = .init(), observe: @escaping @Sendable (Event) -> Void = { _ in })
    {
        (self.destination, self.options, self.observe) = (destination, options, observe)
    }

    /// Makes a new catalog, or goes on with what an interrupted run has done.
    ///
    /// A file that cannot be read is left out, and is in ``Report/skipped``.
    ///
    /// - Parameter sources: Folders and files of music, and folders that were exported from catalogs.
    /// - Throws: `destinationExists` if there is a catalog, `assetNotFound`, `assetUnreadable` if no file could be taken,
    ///   `writeFailed`, `storeUnavailable`, `cancelled`.
    public func create(from sources: [URL]) async throws(EarshotError) -> Report {
        try await withEarshotErrors { try await makeCatalog(from: sources.map(Self.path(of:))) }
    }

    /// Adds what is new to a catalog, and replaces what has changed.
    ///
    /// - Parameters:
    ///   - sources: Folders and files of music, and folders that were exported from catalogs. References from folders that
    ///     are not named stay as they are.
    ///   - removesMissing: `true` if references are removed whose file below one of these folders is gone. What was not
    ///     made from a file, and what lies below a folder that could not be read, stays.
    /// - Throws: `catalogAddressInvalid` if there is no catalog, and as ``create(from:)``.
    public func update(from sources: [URL], removesMissing: Bool = false) async throws(EarshotError) -> Report {
        try await withEarshotErrors {
            try await updateCatalog(from: sources.map(Self.path(of:)), removesMissing: removesMissing)
        }
    }

    /// A path as messages name it: from the working folder on if it was given so.
    private static func path(of source: URL) -> String {
        let path = source.relativePath
        return URL(fileURLWithPath: path).standardizedFileURL == source.standardizedFileURL ? path : source.path
    }

    /// Gives errors of the system and of canceled tasks the form of this package.
    private func withEarshotErrors(_ body: () async throws -> Report) async throws(EarshotError) -> Report {
        do {
            return try await body()
        } catch let error as EarshotError {
            throw error
        } catch is CancellationError {
            throw EarshotError(
                .cancelled,
                "Building \(destination.path) was canceled: what is done is kept, and the same call goes on there."
            )
        } catch {
            throw EarshotError(
                .internalError,
                "\(destination.path) could not be built: please report this, with the cause.",
                cause: error
            )
        }
    }

    private func makeCatalog(from paths: [String]) async throws -> Report {
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
        let (found, exported) = try Self.sources(paths, list: options.list)
        let entries = exported.flatMap(\.entries)
        let assignment = try options.items.map { table throws(EarshotError) in
            try ItemAssignment(table, files: found.files, ids: entries.map(\.id))
        }
        let partial = try PartialFolder(for: destination)
        let writer = try CatalogWriter(
            creating: destination,
            limits: options.limits(over: exported.first?.limits ?? .standard),
            duplicates: options.duplicates,
            workshop: partial.workshop,
            patience: options.patience
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
            let count = found.files.count + entries.count
            throw EarshotError(
                .assetUnreadable,
                "None of \(count) \(count == 1 ? "file" : "files") could be taken; the first: "
                    + (report.skipped.first?.message ?? "")
            )
        }
        try writer.finish()
        partial.remove()
        return finished(report, writer.catalog, since: start)
    }

    private func updateCatalog(from paths: [String], removesMissing: Bool) async throws -> Report {
        let start = Date()
        let writer = try CatalogWriter(
            changing: destination,
            duplicates: options.duplicates,
            patience: options.patience
        )
        let (found, exported) = try Self.sources(paths, list: options.list)
        let entries = exported.flatMap(\.entries)
        let assignment = try options.items.map { table throws(EarshotError) in
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

    /// Divides paths into music and folders that were exported from catalogs, and finds the files of music below the other folders.
    ///
    /// - Parameters:
    ///   - paths: Folders and files.
    ///   - list: A text file that names further files of music, one path a line, relative to the folder of the list.
    /// - Throws: The errors of ``MusicFiles/init(_:suffixes:lookingFor:allowsNamesakes:)``, ``MusicFiles/append(listedIn:)`` and
    ///   ``ExportedFolder/init(_:)``.
    package static func sources(
        _ paths: [String],
        list: URL? = nil
    ) throws -> (music: MusicFiles, exported: [ExportedFolder]) {
        let isExported = { (path: String) in ExportedFolder.exists(at: URL(fileURLWithPath: path)) }
        let exported = try paths.filter(isExported).map { try ExportedFolder(URL(fileURLWithPath: $0)) }
        let music = paths.filter { !isExported($0) }
        let isOther = list != nil || !exported.isEmpty
        var found = music.isEmpty && isOther ? MusicFiles() : try MusicFiles(music)
        if let list { try found.append(listedIn: list) }
        return (found, exported)
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
