import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct RemoveCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove references by name; their audio is not needed."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @Argument(help: "Names, as `catalog list` shows them.")
        var names: [String]

        func run() async throws {
            var left = 0
            try await CatalogLock.change(catalog) { catalog in
                for name in names { try catalog.remove(ReferenceID(nfc: name)) }
                left = catalog.count
            }
            Console.note("Removed \(Wording.plural(names.count, "reference", "references")); \(left) left.")
        }
    }
}
