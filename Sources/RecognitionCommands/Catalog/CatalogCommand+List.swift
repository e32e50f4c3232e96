import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct ListCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the references of a catalog."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalog: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let catalog = try CatalogArgument.open(self.catalog)
            var entries: [Entry] = []
            var total = MediaTime.zero
            try catalog.forEachReference { reference in
                total += reference.signature.duration
                if output.json {
                    entries.append(Entry(reference))
                } else if output.jsonl {
                    Terminal.print(try JSON.line(Entry(reference)))
                } else {
                    let name = DisplayText.name(reference.id, reference.items)
                    let id = name == reference.id.rawValue ? "" : Terminal.dim("  " + Terminal.shown("\(reference.id)"))
                    let length = reference.signature.duration.label
                    Terminal.print(
                        "\(String(repeating: " ", count: max(0, 8 - length.count)))\(length)  \(Terminal.shown(name))\(id)"
                    )
                }
            }
            if output.json {
                Terminal.print(try JSON.document(["references": entries]))
            } else if !output.jsonl, Terminal.isInteractive {
                let count = DisplayText.plural(catalog.count, "reference", "references")
                Terminal.note(
                    "\(count), \(DisplayText.length(total)); queries from \(catalog.queryLimits.minimum.seconds) "
                        + "to \(catalog.queryLimits.maximum.seconds) s"
                )
            }
        }
    }
}
