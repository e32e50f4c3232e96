import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct InfoCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info",
            abstract: "Say what a catalog holds and what it takes.",
            discussion: """
                References that were added by an earlier version have no bits. They are found by their landmarks alone, less surely \
                in noise and over telephones, until the catalog is made again from audio with `catalog create`.

                EXAMPLE
                  earshot catalog info music.earcat
                """
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalog: String

        @OptionGroup var format: JSONOption

        func run() async throws {
            let catalog = try CatalogArgument.open(self.catalog)
            let summary = try catalog.summary()
            let limits = catalog.queryLimits
            if format.json {
                Terminal.print(
                    try JSON.document(
                        JSONValue.object([
                            "catalog": .string(self.catalog), "references": .integer(summary.references),
                            "seconds": .number(summary.duration.seconds),
                            "referencesWithBits": .integer(summary.referencesWithBits),
                            "landmarkBytes": .integer(summary.landmarkBytes), "bitBytes": .integer(summary.bitBytes),
                            "infoBytes": .integer(summary.infoBytes), "postings": .integer(summary.postings),
                            "indexBytes": .integer(summary.indexBytes), "segments": .integer(summary.segments),
                            "minimumQuerySeconds": .number(limits.minimum.seconds),
                            "maximumQuerySeconds": .number(limits.maximum.seconds),
                        ])
                    )
                )
                return
            }
            let without = summary.references - summary.referencesWithBits
            let rows = [
                ("references", "\(summary.references), \(DisplayText.length(summary.duration))"),
                ("queries", "\(limits.minimum.seconds) to \(limits.maximum.seconds) s"),
                ("files", "\(summary.segments)"),
                ("landmarks", DisplayText.bytes(summary.landmarkBytes)),
                ("bits", Self.bits(summary, without: without)),
                ("index", "\(DisplayText.bytes(summary.indexBytes)), \(summary.postings) entries"),
                ("names and media items", DisplayText.bytes(summary.infoBytes)),
            ]
            let width = rows.map(\.0.count).max() ?? 0
            for (name, value) in rows {
                Terminal.print(name + String(repeating: " ", count: width + 2 - name.count) + value)
            }
            if without > 0 {
                Terminal.note(
                    "\(DisplayText.plural(without, "reference has", "references have")) no bits and "
                        + "\(without == 1 ? "is" : "are") found less surely in noise: make the catalog again from its audio."
                )
            }
        }

        private static func bits(_ summary: Catalog.Summary, without: Int) -> String {
            let bytes = DisplayText.bytes(summary.bitBytes)
            return without == 0 ? bytes : "\(bytes), of \(summary.referencesWithBits) references"
        }
    }
}
