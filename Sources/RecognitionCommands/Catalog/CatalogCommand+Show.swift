import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct ShowCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a reference with all its properties."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalog: String

        @Argument(help: "The reference's name, as `catalog list` shows it.")
        var name: String

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let catalog = try CatalogArgument.open(self.catalog)
            guard let reference = try catalog.reference(ReferenceID(nfc: name)) else {
                throw EarshotError(
                    .referenceNotFound,
                    "\(self.catalog) has no reference named \(name): list the catalog to see the names."
                )
            }
            if json {
                Terminal.print(try JSON.document(Entry(reference)))
                return
            }
            Terminal.print(Terminal.bold(reference.id.rawValue))
            Terminal.print("  duration  \(DisplayText.position(reference.signature.duration))")
            Terminal.print("  landmarks \(reference.signature.landmarks.count)")
            for item in reference.items {
                Terminal.print("  item")
                for (key, value) in item.properties.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    Terminal.print("    \(key): \(try JSON.line(JSONValue(value)))")
                }
            }
        }
    }
}
