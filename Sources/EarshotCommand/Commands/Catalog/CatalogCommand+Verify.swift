import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct VerifyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every byte of catalogs."
        )

        @Argument(help: "Catalogs.", completion: .file(extensions: ["earcat"]))
        var catalogs: [String]

        func run() async throws {
            for path in catalogs {
                let catalog = try CatalogCommand.open(path)
                try catalog.verify()
                Console.say("\(path): \(Wording.plural(catalog.count, "reference", "references")), intact")
            }
        }
    }
}
