#if Service
    import ArgumentParser
    import CommandKit
    import Earshot
    import EarshotRemoteCatalogs
    import Foundation

    extension CatalogCommand {
        struct SignCommand: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "sign",
                abstract: "Sign a catalog file, so that whoever fetches it can tell that it is yours.",
                discussion: """
                    Beside the catalog the signature (.sig) and its SHA-256 (.sha256) are written; put all three on the server. \
                    The secret key stays with you, the public key (.pub) goes into apps and to `earshot catalog pull --key`.

                    EXAMPLES
                      earshot catalog sign --generate-key publisher.key       makes publisher.key and publisher.key.pub
                      earshot catalog sign music.earcat --key publisher.key
                      earshot catalog verify music.earcat --key publisher.key.pub
                    """
            )

            @Argument(help: "The catalog file.", completion: .file(extensions: ["earcat"]))
            var catalog: String?

            @Option(name: .long, help: "The file of the secret key.", completion: .file())
            var key: String?

            @Option(name: .long, help: "Make a pair of keys: the secret one here, the public one beside it with .pub.")
            var generateKey: String?

            @OptionGroup var format: JSONOption

            func validate() throws {
                guard generateKey == nil || key == nil else {
                    throw ValidationError("Choose --key or --generate-key, not both.")
                }
                guard generateKey != nil || (catalog != nil && key != nil) else {
                    throw ValidationError("Name a catalog and --key, or make a key with --generate-key.")
                }
            }

            func run() async throws {
                let signer: SigningKey
                if let generateKey {
                    signer = SigningKey()
                    try signer.write(to: URL(fileURLWithPath: generateKey))
                    Terminal.note("\(generateKey): the secret key; \(generateKey).pub: the public key")
                    if catalog == nil {
                        let publicKey = signer.publicKey.description
                        try format.print(publicKey, ["key": .string(generateKey), "publicKey": .string(publicKey)])
                    }
                } else {
                    signer = try SigningKey(contentsOf: URL(fileURLWithPath: key ?? ""))
                }
                guard let catalog else { return }
                let url = URL(fileURLWithPath: catalog)
                guard !CatalogStore.exists(at: url) else {
                    throw EarshotError(
                        .catalogAddressInvalid,
                        "\(catalog) is a store, and only files are signed: write it as one with `earshot catalog export`."
                    )
                }
                try CatalogArgument.open(catalog).verify()
                let files = try signer.sign(url)
                try format.print(
                    "\(catalog): signed, \(files.map(\.lastPathComponent).joined(separator: " and "))",
                    ["catalog": .string(catalog), "files": .array(files.map { .string($0.path) })]
                )
            }
        }
    }
#endif
