import ArgumentParser
import CommandKit
import Earshot
import EarshotMonitor
import EarshotMusic
import Foundation

extension BundleCommand {
    struct Ingest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ingest",
            abstract: "Take bundles into the store: each as a whole, or not at all.",
            discussion: """
                Of a folder every file ending in .earbundle is taken, and other files are named as what they are: no bundles. \
                One that fails does not keep the others out; the exit status is then 1.

                Without --store the last of several arguments names the store if it is one, is an empty folder, or is not there \
                yet and has no suffix; the store is then made.

                EXAMPLES
                  earshot bundle ingest ads-13.earbundle
                  earshot bundle ingest ads-13.earbundle bundles/
                  earshot bundle ingest incoming/ --store /var/lib/earshot/bundles
                """
        )

        @Argument(
            help: "Bundles, and folders with bundles; the folder of the store may stand last.",
            completion: .file(extensions: ["earbundle"])
        )
        var inputs: [String]

        @OptionGroup var store: BundleStoreOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard !inputs.isEmpty else { throw ValidationError("Name the bundles to ingest.") }
        }

        /// Tells the store from what is to go into it.
        ///
        /// - Parameters:
        ///   - inputs: The arguments.
        ///   - store: The store that the option names: then all arguments are inputs.
        static func places(_ inputs: [String], store: String?) -> (inputs: [String], store: String?) {
            guard store == nil, inputs.count > 1, let last = inputs.last else { return (inputs, store) }
            let url = URL(fileURLWithPath: last)
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: last, isDirectory: &isFolder)
            // A name with a suffix that is not there is a bundle whose name was mistyped.
            let isStore =
                isThere
                ? isFolder.boolValue && (BundleStore.exists(at: url) || BundleStoreOptions.isEmpty(url))
                : last.hasSuffix("/") || url.pathExtension.isEmpty
            return isStore ? (Array(inputs.dropLast()), last) : (inputs, nil)
        }

        private func files(_ inputs: [String]) throws -> [URL] {
            try inputs.flatMap { path -> [URL] in
                let url = URL(fileURLWithPath: path)
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                    throw EarshotError(.assetNotFound, "There is no file or folder at \(path): check the path.")
                }
                guard isFolder.boolValue else { return [url] }
                let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
                    .sorted()
                guard !names.isEmpty else {
                    throw EarshotError(.assetNotFound, "The folder \(path) is empty: name one with bundles in it.")
                }
                return names.map { url.appendingPathComponent($0) }
            }
        }

        func run() async throws {
            let (inputs, place) = Self.places(inputs, store: store.store)
            var store = store
            store.store = place
            let fingerprints = store.fingerprints
            var outcomes: [IngestOutcome] = []
            for url in try files(inputs) {
                var outcome = IngestOutcome(file: url.path)
                let bar = ByteBar()
                let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
                do throws(EarshotError) {
                    let report = try await fingerprints.ingest(FileBundleSource(url)) { count in
                        bar.show(Int64(count), size.map { Int64($0) })
                    }
                    outcome.take(report)
                } catch {
                    (outcome.error, outcome.code) = (error.message, error.code.rawValue)
                }
                bar.finish()
                outcomes.append(outcome)
                if !json { Self.print(outcome, store) }
            }
            if json { Terminal.print(try JSON.document(["bundles": outcomes])) }
            if outcomes.contains(where: { $0.error != nil }) { throw ExitCode(1) }
        }

        private static func print(_ outcome: IngestOutcome, _ store: BundleStoreOptions) {
            let name = URL(fileURLWithPath: outcome.file).lastPathComponent
            if let error = outcome.error {
                Terminal.printError(DisplayText.failure(of: name, error))
            } else {
                let references = DisplayText.plural(outcome.references ?? 0, "reference", "references")
                let what = "\(outcome.id ?? "") \(outcome.version ?? 0), \(outcome.outcome), \(references)"
                Terminal.print("\(name): \(what), in \(store.url.path)")
            }
        }
    }

    struct Lookup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lookup",
            abstract: "Look a recording up in the store, once.",
            discussion: "Exit status 3: nothing was found."
        )

        @Argument(help: "Audio, a signature, or - for standard input.", completion: .file())
        var input: String

        @Option(name: .long, help: "Begin here, in seconds or h:mm:ss.")
        var at: TimeArgument?

        @Option(name: .long, help: "How much to look at, in seconds.")
        var length = 10.0

        @OptionGroup var store: BundleStoreOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Document: Encodable {
            let schemaVersion = ResultSchema.version
            let matches: [MatchRecord]
        }

        func validate() throws {
            guard length >= 1, length <= 12 else { throw ValidationError("--length must be from 1 to 12 seconds.") }
        }

        func run() async throws {
            // A mistake in the name of the store is told before the work, not after it.
            let fingerprints = try store.existing()
            let start = at?.time ?? .zero
            let part = start..<start + MediaTime(seconds: length)
            let signature = try await Clip.audio(input, range: part).signature
            let matches = try fingerprints.lookup(signature)
            let shown = matches.map { MonitorMatch($0) }
            if json {
                let found = zip(matches, shown).map { match, shown in
                    var record = MatchRecord(shown)
                    record.bundle = match.bundle
                    return record
                }
                Terminal.print(try JSON.document(Document(matches: found)))
            } else {
                for (number, match) in shown.enumerated() {
                    var match = match
                    match.adjustedPosition = match.actualPosition
                    Terminal.print(match.line(number + 1))
                }
                if matches.isEmpty { Terminal.print("Nothing was found.") }
                if try matches.isEmpty && fingerprints.bundles.isEmpty {
                    Terminal.note("The store at \(store.url.path) is empty: `earshot bundle ingest` fills it.")
                }
            }
            if matches.isEmpty { throw ExitCode(3) }
        }
    }
}
