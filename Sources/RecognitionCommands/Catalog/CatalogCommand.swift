import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Make and look after catalogs.",
        discussion: """
            EXAMPLES
              earshot catalog create ~/Music -o music.earcat
              earshot catalog update ~/Music music.earcat
              earshot catalog create ~/Music -o music.earstore     a store, for catalogs that grow
              earshot catalog list music.earcat
              earshot catalog merge a.earcat b.earcat -o both.earcat
            """,
        subcommands: subcommands
    )

    private static var subcommands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = [
            CreateCommand.self, UpdateCommand.self, AddCommand.self, ListCommand.self, ShowCommand.self,
            InfoCommand.self, RemoveCommand.self, MergeCommand.self, ImportCommand.self, ExportCommand.self,
            CompactCommand.self, VerifyCommand.self, MeasureCommand.self,
        ]
        // They need a library of cryptography, or a database.
        #if Service
            commands += [SignCommand.self, PullCommand.self, DirectoryCommand.self, WorkCommand.self]
        #endif
        return commands
    }

    /// Checks the name of a catalog that is to be made.
    ///
    /// - Parameter suffixes: The forms that it may have.
    static func checkName(_ path: String, suffixes: [String] = ["earcat", "earstore"]) throws {
        guard !suffixes.contains(URL(fileURLWithPath: path).pathExtension.lowercased()) else { return }
        let known = suffixes.map { "." + $0 }.joined(separator: " or ")
        let reason = "A catalog ends in \(known), which says its form"
        throw ValidationError("\(reason), and \"\(path)\" does not.")
    }

    /// Says what a build did.
    static func print(_ report: CatalogBuild.Report, json: Bool) throws {
        if json {
            Terminal.print(try JSON.document(report))
            return
        }
        for file in report.unknownFiles {
            let isThere = FileManager.default.fileExists(atPath: file)
            Terminal.printError(
                "The table of media items names \(file), which is "
                    + (isThere
                        ? "none of the files of the catalog: name its folder too." : "not there: check the path.")
            )
        }
        for failure in report.skipped {
            let reason = DisplayText.failure(of: failure.file, failure.message)
            Terminal.printError("skipped: \(reason)")
        }
        for warning in report.durationWarnings { Terminal.note(warning.message) }
        var parts = ["\(report.added) added"]
        if report.replaced > 0 { parts.append("\(report.replaced) replaced") }
        if report.removed > 0 { parts.append("\(report.removed) removed") }
        if report.changedItems > 0 { parts.append("\(report.changedItems) with other media items") }
        if report.unchanged > 0 { parts.append("\(report.unchanged) unchanged") }
        if report.resumed > 0 { parts.append("\(report.resumed) of them from the interrupted run") }
        for note in report.duplicates { Terminal.note(note.sentence) }
        if !report.duplicates.isEmpty {
            let count = Set(report.duplicates.map(\.id)).count
            parts.append(DisplayText.plural(count, "duplicate or part of another", "duplicates or parts of others"))
        }
        if !report.skipped.isEmpty { parts.append("\(report.skipped.count) skipped") }
        // References that were exported or were there already cost no reading of audio.
        let length = MediaTime(seconds: report.audioSeconds)
        let read = report.audioSeconds > 0 ? "\(DisplayText.length(length)) of audio in " : "in "
        Terminal.print(
            "\(report.catalog): \(DisplayText.plural(report.references, "reference", "references")), "
                + "\(DisplayText.bytes(report.bytes)) (\(parts.joined(separator: ", "))); "
                + read + String(format: "%.1f s", report.seconds)
        )
    }
}
