import ArgumentParser
import Earshot
import EarshotMetadata
import EarshotMonitor
import Foundation

extension BundleCommand {
    struct Ingest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ingest",
            abstract: "Take bundles into the store: each as a whole, or not at all.",
            discussion: """
                Of a folder every file ending in .earbundle is taken, and other files are named as what they are: no bundles. \
                One that fails does not keep the others out; the exit status is then 1.

                EXAMPLES
                  earshot bundle ingest ads-13.earbundle
                  earshot bundle ingest bundles/ --store /var/lib/earshot/bundles
                """
        )

        @Argument(help: "Bundles, and folders with bundles.", completion: .file(extensions: ["earbundle"]))
        var inputs: [String]

        @OptionGroup var store: BundleStoreOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard !inputs.isEmpty else { throw ValidationError("Name the bundles to ingest.") }
        }

        private func files() throws -> [URL] {
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
            let fingerprints = store.fingerprints
            var outcomes: [IngestOutcome] = []
            for url in try files() {
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
                if !json { Self.say(outcome) }
            }
            if json { Console.say(try JSON.document(["bundles": outcomes])) }
            if outcomes.contains(where: { $0.error != nil }) { throw ExitCode(1) }
        }

        private static func say(_ outcome: IngestOutcome) {
            let name = URL(fileURLWithPath: outcome.file).lastPathComponent
            if let error = outcome.error {
                Console.complain(Wording.failure(of: name, error))
            } else {
                let references = Wording.plural(outcome.references ?? 0, "reference", "references")
                Console.say("\(name): \(outcome.id ?? "") \(outcome.version ?? 0), \(outcome.outcome), \(references)")
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
            let start = at?.time ?? .zero
            let part = start..<start + MediaTime(seconds: length)
            let signature = try await Clip.audio(input, range: part).signature
            let matches = try store.fingerprints.lookup(signature)
            let shown = matches.map { MonitorMatch($0) }
            if json {
                let found = zip(matches, shown).map { match, shown in
                    var record = MatchRecord(shown)
                    record.bundle = match.bundle
                    return record
                }
                Console.say(try JSON.document(Document(matches: found)))
            } else {
                for (number, match) in shown.enumerated() {
                    var match = match
                    match.adjustedPosition = match.actualPosition
                    Console.say(match.line(number + 1))
                }
                if matches.isEmpty { Console.say("Nothing was found.") }
            }
            if matches.isEmpty { throw ExitCode(3) }
        }
    }
}
