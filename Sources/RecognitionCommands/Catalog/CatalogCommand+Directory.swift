#if Service
    import ArgumentParser
    import CommandKit
    import Earshot
    import EarshotClient
    import EarshotRemoteCatalogs
    import Foundation

    extension CatalogCommand {
        struct DirectoryCommand: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "directory",
                abstract: "List the catalogs of a folder, or those that a publisher offers at an address.",
                discussion: """
                    --write keeps the list as catalogs.json in the folder. Put on a server beside the catalogs, it tells what can be \
                    pulled from there: names, references, sizes, dates, signers.

                    EXAMPLES
                      earshot catalog directory published
                      earshot catalog directory published --key publisher.key.pub --write
                      earshot catalog directory https://example.org/catalogs/ --key publisher.key.pub
                    """
            )

            @Argument(
                help: "A folder, or the http or https address of one with catalogs.json in it.",
                completion: .directory
            )
            var place: String

            @Option(
                name: .long,
                help: "The publisher's public key, or a file that holds it: each catalog has to be signed with it.",
                completion: .file()
            )
            var key: String?

            @Flag(name: .long, help: "Write catalogs.json into the folder.")
            var write = false

            @OptionGroup var format: JSONOption

            private var address: URL? {
                let lower = place.lowercased()
                guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return nil }
                return URL(string: place)
            }

            func validate() throws {
                guard !write || address == nil else { throw ValidationError("--write goes with a folder.") }
            }

            func run() async throws {
                let key = try key.map(CatalogCommand.publisherKey)
                let directory: CatalogDirectory
                if let address {
                    directory = try await CatalogDirectory.fetch(address, transport: AsyncHTTPTransport())
                } else {
                    directory = try CatalogDirectory(folder: URL(fileURLWithPath: place), key: key)
                }
                if let key, let entry = directory.entries.first(where: { !$0.isSigned(by: key) }) {
                    throw EarshotError(
                        .verificationFailed,
                        "\(Terminal.shown(entry.file)) is not signed with the key \(key): sign it, or get it from its publisher."
                    )
                }
                if write { try directory.write(to: URL(fileURLWithPath: place)) }
                if format.json {
                    let catalogs = directory.entries.map { entry in JSONValue.object(members(of: entry)) }
                    Terminal.print(try JSON.document(["catalogs": catalogs]))
                } else {
                    print(directory.entries, key)
                }
            }

            private func members(of entry: CatalogDirectory.Entry) -> [String: JSONValue] {
                var members: [String: JSONValue] = [
                    "file": .string(entry.file), "references": .integer(entry.references),
                    "seconds": .number(entry.duration.seconds), "bytes": .integer(Int(entry.size)),
                    "date": .string(DateText.text(of: entry.date)), "sha256": .string(entry.sha256),
                    "isSigned": .boolean(entry.signature != nil),
                ]
                if let signer = entry.signer, entry.isSigned(by: signer) {
                    members["signer"] = .string(signer.description)
                }
                if let address {
                    members["address"] = .string(CatalogDirectory.address(of: entry, in: address).absoluteString)
                }
                return members
            }

            private func print(_ entries: [CatalogDirectory.Entry], _ key: PublisherKey?) {
                let rows = entries.map { entry in
                    [
                        Terminal.shown(entry.file), DisplayText.plural(entry.references, "reference", "references"),
                        DisplayText.length(entry.duration), DisplayText.bytes(Int(entry.size)),
                        String(DateText.text(of: entry.date).prefix(10)), signer(of: entry, key),
                    ]
                }
                let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
                for row in rows {
                    let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                    Terminal.print((cells + row.suffix(1)).joined(separator: "  "))
                }
                if entries.isEmpty { Terminal.note("\(place): no catalog files.") }
            }

            /// The words about the signature: of whom it is where that is proven.
            private func signer(of entry: CatalogDirectory.Entry, _ key: PublisherKey?) -> String {
                if let key, entry.isSigned(by: key) { return "signed by \(key)" }
                guard entry.signature != nil else { return "not signed" }
                guard let signer = entry.signer else { return "signed, by a key that is not told" }
                return entry.isSigned(by: signer) ? "signed by \(signer)" : "signature does not fit"
            }
        }
    }
#endif
