import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotCore
import EarshotTags
import Foundation

extension LibraryPlan {
    private struct Planned: Encodable {
        let files: [LibraryPlan.Record]
        let failed: [LibraryReport.Failure]
    }

    private struct Written: Encodable {
        let changed: Int
        let failed: [LibraryReport.Failure]
        /// Nothing where nothing had to be changed.
        let journal: String?
        /// The planned changes; `nil` unless they were asked for.
        let files: [LibraryPlan.Record]?
    }

    /// Shows what changes.
    ///
    /// - Throws: `ExitCode` 1 where there is no plan for some files.
    func show(_ output: OutputOptions) throws {
        if output.json {
            Terminal.print(try JSON.document(Planned(files: records, failed: Self.told(failures))))
        } else {
            print()
        }
        if !failures.isEmpty { throw ExitCode(1) }
    }

    /// Writes what is planned, and tells of it.
    ///
    /// - Parameters:
    ///   - root: The folder; `nil` for files one by one.
    ///   - output: The options of the output.
    ///   - isShown: `true` if the changes are shown first.
    /// - Throws: `ExitCode` 1 where some files could not be read or written; what the journal throws.
    func carryOut(in root: URL?, _ output: OutputOptions, showing isShown: Bool) async throws {
        if !output.json, isShown || items.isEmpty { print() }
        guard !items.isEmpty else {
            if output.json {
                let written = Written(
                    changed: 0,
                    failed: Self.told(failures),
                    journal: nil,
                    files: isShown ? [] : nil
                )
                Terminal.print(try JSON.document(written))
            }
            if !failures.isEmpty { throw ExitCode(1) }
            return
        }
        let url = try LibraryJournals.new()
        let journal = try await TagJournal.open(url, root: root)
        let bar = ProgressBar(total: items.count)
        let writer = TagWriter(journal: journal, root: root)
        let outcomes = await writer.write(items.map(\.change)) { progress in
            if progress.done > 0 { bar.step(audioSeconds: 0) }
        }
        bar.finish()
        var failed = failures
        for (item, outcome) in zip(items, outcomes) {
            if let error = outcome.error { failed.append(FileFailure(file: item.id, error)) }
        }
        let changed = outcomes.count { $0.error == nil && $0.isChanged }
        if output.json {
            let written = Written(
                changed: changed,
                failed: Self.told(failed),
                journal: url.path,
                files: isShown ? records : nil
            )
            Terminal.print(try JSON.document(written))
        } else {
            let files = DisplayText.plural(changed, "file was", "files were")
            Terminal.print(
                changed > 0 ? "\(files) changed; `earshot library undo` takes it back." : "Nothing was changed."
            )
            // Those of the plan have been told with it.
            for failure in isShown ? Array(failed.dropFirst(failures.count)) : failed { Self.complain(failure) }
        }
        if !failed.isEmpty { throw ExitCode(1) }
    }

    private static func told(_ failures: [FileFailure]) -> [LibraryReport.Failure] {
        failures.map { LibraryReport.Failure(file: $0.file, code: $0.code, message: $0.message) }
    }
}
