import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotCore
import EarshotRecognition
import EarshotPostgreSQL
import EarshotServer
import Foundation

extension AdminCommand {
    struct LicenseFor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "license",
            abstract: "Print the license of an app: the service, and the client identifiers that it may use.",
            discussion: """
                An app is begun with three things: this license, a client identifier and its tag, which `earshot admin client \
                add` prints once. The license is no secret, the tag is one.

                EXAMPLES
                  earshot admin license 12345678 --service https://tv.example > app.earlicence
                  earshot admin license 12345678 87654321 --service https://tv.example --days 365
                """,
            aliases: ["licence"]
        )

        @Argument(help: "The ids of the clients.") var clients: [String]
        @Option(name: .long, help: "The address of the service, as apps reach it.") var service: String
        @Option(name: .long, help: "For how many days it holds, from 1; without it, without an end.") var days: Int?
        @OptionGroup var folder: DataFolder

        func validate() throws {
            guard days.map({ (1...36_500).contains($0) }) ?? true else {
                throw ValidationError("A license holds for 1 to 36,500 days.")
            }
        }

        func run() async throws {
            let register = ClientRegister(try await folder.accounts())
            var named: [License.Client] = []
            for id in clients {
                let client = try await register.client(id)
                named.append(License.Client(id: client.id, modules: client.modules))
            }
            let end = days.map { Date().addingTimeInterval(Double($0) * 86_400) }
            let license = try License(service: service, clients: named, expires: end)
            Terminal.write(license.text, to: .standardOutput)
        }
    }

    struct Shelf: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bundle",
            abstract: "Bundles that the service offers for download.",
            subcommands: [List.self, Add.self, Remove.self]
        )

        /// The bundles of the service, which are in its folder, or in the bucket that its nodes share.
        struct Place: ParsableArguments {
            @OptionGroup var folder: DataFolder
            @Option(
                name: .long,
                help:
                    "The bucket that nodes share, as https://HOST/BUCKET. Without it EARSHOT_BUCKET. It counts with a database in PostgreSQL."
            )
            var bucket: String?

            func bundles() async throws(EarshotError) -> OfferedBundles {
                var options: [ServeConfiguration.Key: String] = [:]
                options[.bucket] = bucket
                let configuration = try ServeConfiguration(options: options, file: nil)
                var shared: SharedPublications?
                if let database = folder.postgreSQL,
                    let bucket = try configuration.bucket(ProcessInfo.processInfo.environment)
                {
                    let pool = try await DatabaseAccess.pool(database, .existing, for: .publications)
                    shared = SharedPublications(try await PostgreSQLPublicationStore(pool), objects: bucket)
                }
                return OfferedBundles(folder: folder.url, shared: shared)
            }
        }

        static func show(_ bundles: [BundleDescription], asJSON: Bool) throws {
            if asJSON { return Terminal.print(try JSON.document(["bundles": bundles])) }
            for bundle in bundles {
                let figures = [
                    "version \(bundle.version)", DisplayText.plural(bundle.references, "reference", "references"),
                    DisplayText.bytes(bundle.size), "since \(bundle.published.ISO8601Format())",
                ]
                Terminal.print("\(Terminal.bold(bundle.id))  \(figures.joined(separator: ", "))")
            }
            if bundles.isEmpty { Terminal.print("The service offers no bundles.") }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the bundles.")
            @OptionGroup var place: Place
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                try Shelf.show(try await place.bundles().all(), asJSON: json)
            }
        }

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Offer bundles, each in place of an earlier version of it, after reading them to their ends."
            )
            @Argument(help: "The bundles.", completion: .file(extensions: ["earbundle"])) var files: [String]
            @OptionGroup var place: Place
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                _ = try await place.folder.accounts()
                let bundles = try await place.bundles()
                var added: [BundleDescription] = []
                for file in files {
                    let url = URL(fileURLWithPath: file)
                    guard FileManager.default.fileExists(atPath: url.path) else {
                        throw EarshotError(.assetNotFound, "There is no bundle at \(file): check the path.")
                    }
                    let bundle = try await bundles.publish(url)
                    place.folder.record("admin bundle add", ["id": bundle.id])
                    added.append(bundle)
                }
                try Shelf.show(added, asJSON: json)
            }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Offer a bundle no more. Who has it keeps it."
            )
            @Argument(help: "The bundle's id.") var id: String
            @OptionGroup var place: Place
            @OptionGroup var format: JSONOption

            func run() async throws {
                guard try await place.bundles().remove(id) else {
                    throw EarshotError(
                        .entityNotFound,
                        "The service offers no bundle \(id): list them with `earshot admin bundle list`."
                    )
                }
                place.folder.record("admin bundle remove", ["id": id])
                try format.print("Offered no more: \(id)", ["removed": .string(id)])
            }
        }
    }
}
