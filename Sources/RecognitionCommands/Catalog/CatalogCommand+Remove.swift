import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct RemoveCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove references by name; their audio is not needed.",
            discussion: "All are removed or, where one is not there, none."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalog: String

        @Argument(help: "Names, as `catalog list` shows them.")
        var names: [String]

        @OptionGroup var waiting: WaitOptions
        @OptionGroup var format: JSONOption

        @Flag(name: .long, help: "Print one JSON object a line: what is gone from the disk, as soon as it is.")
        var jsonl = false

        @Option(name: .long, help: ArgumentHelp("References removed at a time.", visibility: .hidden))
        var batch = Int.max

        func validate() throws {
            guard batch > 0 else { throw ValidationError("--batch must be at least 1.") }
            if format.json, jsonl { throw ValidationError("Choose --json or --jsonl, not both.") }
        }

        func run() async throws {
            var left = 0
            var rest = names[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(batch))
                rest = rest.dropFirst(part.count)
                let patience = waiting.patience(catalog)
                left = try CatalogForm.change(URL(fileURLWithPath: catalog), patience: patience) { catalog in
                    for name in part { try catalog.remove(ReferenceID(nfc: name)) }
                    return catalog.count
                }
                if jsonl { Terminal.print(try JSON.line(Acknowledgement(removed: part, references: left))) }
            }
            if format.json {
                Terminal.print(try JSON.document(Acknowledgement(removed: names, references: left)))
            } else if !jsonl {
                Terminal.note("Removed \(DisplayText.plural(names.count, "reference", "references")); \(left) left.")
            }
        }
    }
}
