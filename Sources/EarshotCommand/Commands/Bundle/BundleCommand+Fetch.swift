import ArgumentParser
import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotMonitor
import Foundation

extension BundleCommand {
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fetch",
            abstract: "Fetch a bundle of a service; without a name, say which there are.",
            discussion: """
                A fetch that was broken off goes on where it was when it is begun again. With --ingest the bundle goes into the \
                store of this machine, and no file is left.

                EXAMPLES
                  earshot bundle fetch --server https://tv.example --client ID-TAG
                  earshot bundle fetch ads --server https://tv.example --client ID-TAG -o ads.earbundle
                  earshot bundle fetch ads --ingest
                """
        )

        @Argument(help: "The bundle.") var id: String?
        @Option(name: [.short, .long], help: "The file; ID.earbundle where nothing is said.") var output: String?
        @Flag(name: .long, help: "Ingest it.") var ingest = false
        @OptionGroup var service: ServiceOptions
        @OptionGroup var store: BundleStoreOptions
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        func run() async throws {
            let (service, _) = try service.connect()
            guard let id else {
                return try AdminCommand.Shelf.show(try await service.bundles(), asJSON: json)
            }
            // A name from the command line is not to leave the folder.
            let name = id.replacing("/", with: "_")
            let url = URL(
                fileURLWithPath: ingest
                    ? FileManager.default.temporaryDirectory.appendingPathComponent("\(name).earbundle").path
                    : output ?? "\(name).earbundle"
            )
            let bar = ByteBar()
            let show = bar.show
            let bundle: BundleDescription
            do {
                bundle = try await service.download(id, to: url) { show(Int64($0), Int64($1)) }
            } catch {
                bar.finish()
                throw error
            }
            bar.finish()
            guard ingest else {
                return json
                    ? Console.say(try JSON.document(["bundles": [bundle]]))
                    : Console.say("Fetched \(bundle.id), version \(bundle.version), to \(url.path)")
            }
            defer { try? FileManager.default.removeItem(at: url) }
            _ = try await self.store.fingerprints.ingest(try FileBundleSource(url))
            json
                ? Console.say(try JSON.document(["bundles": [bundle]]))
                : Console.say("Ingested \(bundle.id), version \(bundle.version), into \(self.store.url.path)")
        }
    }
}
