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
                    Console.say(try JSON.line(Entry(reference)))
                } else {
                    let name = Wording.name(reference.id, reference.items)
                    let id = name == reference.id.rawValue ? "" : Console.dim("  " + Console.shown("\(reference.id)"))
                    let length = reference.signature.duration.label
                    Console.say(
                        "\(String(repeating: " ", count: max(0, 8 - length.count)))\(length)  \(Console.shown(name))\(id)"
                    )
                }
            }
            if output.json {
                Console.say(try JSON.document(["references": entries]))
            } else if !output.jsonl, Console.isInteractive {
                let count = Wording.plural(catalog.count, "reference", "references")
                Console.note(
                    "\(count), \(Wording.length(total)); queries from \(catalog.queryLimits.minimum.seconds) "
                        + "to \(catalog.queryLimits.maximum.seconds) s"
                )
            }
        }
    }
}
