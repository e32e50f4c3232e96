import ArgumentParser
import CommandKit
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
                store of this machine, and no file is left, unless it cannot be ingested yet.

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
            let name = id.replacingScalars(["/": "_"]) + ".earbundle"
            let url =
                ingest
                ? try Self.folder(beside: store.url).appendingPathComponent(name)
                : URL(fileURLWithPath: output ?? name)
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
                    ? Terminal.print(try JSON.document(["bundles": [bundle]]))
                    : Terminal.print("Fetched \(bundle.id), version \(bundle.version), to \(url.path)")
            }
            // Where it cannot be ingested now it need not be fetched again, unless it is no bundle.
            let report: IngestReport
            do throws(EarshotError) {
                report = try await self.store.fingerprints.ingest(try FileBundleSource(url))
            } catch {
                if error.code == .bundleInvalid { try? FileManager.default.removeItem(at: url) }
                throw error
            }
            try? FileManager.default.removeItem(at: url)
            if json {
                var outcome = IngestOutcome(file: url.path)
                outcome.take(report)
                return Terminal.print(try JSON.document(["bundles": [outcome]]))
            }
            let what = "\(bundle.id), version \(bundle.version)"
            switch report.outcome {
            case .added, .replaced: Terminal.print("Ingested \(what), into \(self.store.url.path)")
            case .unchanged: Terminal.print("\(what), is in \(self.store.url.path) already")
            case .older(let version):
                Terminal.print("\(what), was not ingested: \(self.store.url.path) has version \(version)")
            }
        }

        /// The folder in which bundles lie until they are ingested, beside the store; only its user may use it.
        private static func folder(beside store: URL) throws(EarshotError) -> URL {
            let name = ".\(store.lastPathComponent)-fetched"
            let folder = store.deletingLastPathComponent().appendingPathComponent(name, isDirectory: true)
            do {
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) cannot be made: check the folder of the store.",
                    cause: error
                )
            }
            return folder
        }
    }
}
