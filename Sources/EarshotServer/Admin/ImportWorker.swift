import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotNodes
import Foundation

/// Imports tables of tracks into the store of music, and merges catalogs into the one that is served.
struct ImportWorker: Sendable {
    let files: ImportFiles
    let music: any MusicStore
    let catalog: CatalogProvider
    let queue: WorkQueue

    /// The kinds of jobs.
    enum Kind: String, CaseIterable, Sendable {
        /// Import a table of tracks into the music store.
        case importTable
        /// Add the references of an uploaded catalog to the catalog of the service.
        case mergeCatalog
    }

    /// Runs an import.
    ///
    /// - Returns: The result, as a sentence.
    func run(
        _ kind: Kind,
        _ job: Job,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> String? {
        let name = job.order.input["file"] ?? ""
        let report: ImportReport
        do throws(EarshotError) {
            report =
                switch kind {
                case .importTable:
                    try await importTable(name, ignoresUnknown: job.order.input["ignoreUnknown"] == "1", progress)
                case .mergeCatalog: try await merge(name)
                }
        } catch {
            // A job that the end of the service cancels begins again, and needs the file.
            if error.code != .cancelled { files.remove(name) }
            throw Self.told(error, files.file(name).path, as: job.order.input["name"] ?? "the file")
        }
        files.remove(name)
        let (files, id) = (files, job.id)
        try await BlockingWork.run { () throws(EarshotError) in try files.keep(report, of: id) }
        if kind == .importTable, report.changes == 0, let first = report.rejects.first {
            throw EarshotError(.metadataInvalid, "No row could be used. Line \(first.line): \(first.reason)")
        }
        return switch kind {
        case .importTable: "\(report.lines) lines, \(report.changes) entries, \(report.rejected) passed over"
        case .mergeCatalog: "\(report.changes) references added, \(report.rejected) there already"
        }
    }

    private func importTable(
        _ name: String,
        ignoresUnknown: Bool,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> ImportReport {
        let (rejects, unknown) = (ImportRejects(), UnknownDescriptors())
        // Without a name to resume by: an interrupted job starts over, so that its report covers all lines.
        let done = try await MusicImport(into: music).runTable(
            files.file(name).path,
            ignoresUnknown: ignoresUnknown,
            unknown: unknown,
            rejected: { rejects.add($0) },
            progress: { state in
                if let size = state.size, size > 0 { progress(Double(state.bytes) / Double(size)) }
            }
        )
        var report = ImportReport()
        (report.lines, report.changes, report.rejected) = (done.lines, done.changes, done.rejected)
        report.rejects = rejects.rejects
        report.unknown = Dictionary(uniqueKeysWithValues: unknown.counts.map { ($0.key.rawValue, $0.value) })
        return report
    }

    private func merge(_ name: String) async throws(EarshotError) -> ImportReport {
        let (holder, url) = (catalog, files.file(name))
        let other = try await queue.run { () throws(EarshotError) in try Catalog(contentsOf: url) }
        let result = try await holder.change(on: queue) { try $0.add(other) }
        return ImportReport(lines: other.count, changes: result.added, rejected: result.skipped)
    }

    /// Returns an error whose message has the operator's name of the file instead of its path on the service.
    private static func told(_ error: EarshotError, _ path: String, as name: String) -> EarshotError {
        EarshotError(error.code, error.message.replacing(path, with: name), cause: error.cause)
    }
}
