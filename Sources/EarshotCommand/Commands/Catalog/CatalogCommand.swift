import ArgumentParser
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
        subcommands: [
            CreateCommand.self, UpdateCommand.self, AddCommand.self, ListCommand.self, ShowCommand.self,
            RemoveCommand.self, MergeCommand.self, ImportCommand.self, ExportCommand.self, CompactCommand.self,
            VerifyCommand.self, SignCommand.self, PullCommand.self, MeasureCommand.self,
        ]
    )

    /// Opens the catalog of an argument.
    static func open(_ path: String) throws -> Catalog { try Catalog(contentsOf: URL(fileURLWithPath: path)) }

    /// Says what a build did.
    static func print(_ report: CatalogBuild.Report, json: Bool) throws {
        if json {
            Console.say(try JSON.document(report))
            return
        }
        for file in report.unknownFiles {
            Console.complain("the table of media items names \(file), and there is no such file")
        }
        for warning in report.durationWarnings { Console.note(warning.message) }
        for failure in report.skipped { Console.complain("skipped \(failure.file): \(failure.message)") }
        var parts = ["\(report.added) added"]
        if report.replaced > 0 { parts.append("\(report.replaced) replaced") }
        if report.removed > 0 { parts.append("\(report.removed) removed") }
        if report.changedItems > 0 { parts.append("\(report.changedItems) with other media items") }
        if report.unchanged > 0 { parts.append("\(report.unchanged) unchanged") }
        if report.resumed > 0 { parts.append("\(report.resumed) of them from the interrupted run") }
        for note in report.duplicates { Console.note(note.sentence) }
        if !report.duplicates.isEmpty {
            let count = Set(report.duplicates.map(\.id)).count
            parts.append(Wording.plural(count, "duplicate or part of another", "duplicates or parts of others"))
        }
        if !report.skipped.isEmpty { parts.append("\(report.skipped.count) skipped") }
        let length = Wording.length(MediaTime(seconds: report.audioSeconds))
        Console.say(
            "\(report.catalog): \(Wording.plural(report.references, "reference", "references")), "
                + "\(Wording.bytes(report.bytes)) (\(parts.joined(separator: ", "))); "
                + "\(length) of audio in \(String(format: "%.1f s", report.seconds))"
        )
    }
}
