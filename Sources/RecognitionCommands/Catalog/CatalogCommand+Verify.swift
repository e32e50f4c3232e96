import ArgumentParser
import CommandKit
import Earshot
import Foundation

#if Service
    import EarshotRemoteCatalogs
#endif

extension CatalogCommand {
    struct VerifyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every byte of catalogs, and with --key that they are as their publisher signed them."
        )

        @Argument(help: "Catalogs.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalogs: [String]

        @Option(
            name: .long,
            help: "The publisher's public key, or a file that holds it: the signature (.sig) beside each is checked.",
            completion: .file()
        )
        var key: String?

        @OptionGroup var format: JSONOption

        func run() async throws {
            #if Service
                let publisher = try key.map(CatalogCommand.publisherKey)
            #else
                if key != nil { throw LeftOutFeature.error("--key", "Service") }
            #endif
            var verified: [JSONValue] = []
            for path in catalogs {
                let url = URL(fileURLWithPath: path)
                let catalog: Catalog
                let isStore = CatalogStore.exists(at: url)
                if isStore, key != nil {
                    throw EarshotError(
                        .verificationFailed,
                        "\(path) is a store, and only files are signed: check it without --key."
                    )
                }
                if isStore {
                    catalog = try CatalogStore.verify(url)
                } else {
                    catalog = try CatalogArgument.open(path)
                    try catalog.verify()
                }
                #if Service
                    try publisher?.verify(url)
                #endif
                verified.append(
                    .object([
                        "catalog": .string(path), "references": .integer(catalog.count),
                        "isSigned": .boolean(key != nil),
                    ])
                )
                guard !format.json else { continue }
                Terminal.print(
                    "\(path): \(DisplayText.plural(catalog.count, "reference", "references")), intact"
                        + (key == nil ? "" : ", signed by its publisher")
                )
            }
            if format.json { Terminal.print(try JSON.document(["catalogs": verified])) }
        }
    }
}
