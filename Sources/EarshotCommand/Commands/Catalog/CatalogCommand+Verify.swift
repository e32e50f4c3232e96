import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct VerifyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every byte of catalogs."
        )

        @Argument(help: "Catalogs.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalogs: [String]

        func run() async throws {
            for path in catalogs {
                let url = URL(fileURLWithPath: path)
                let catalog: Catalog
                if CatalogStore.exists(at: url) {
                    catalog = try CatalogStore.verify(url)
                } else {
                    catalog = try CatalogCommand.open(path)
                    try catalog.verify()
                }
                Console.say("\(path): \(Wording.plural(catalog.count, "reference", "references")), intact")
            }
        }
    }
}
