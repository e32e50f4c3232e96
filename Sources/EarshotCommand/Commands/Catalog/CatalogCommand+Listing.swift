import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    /// What is said about a reference.
    struct Entry: Encodable {
        let id: String
        let seconds: Double
        let landmarks: Int
        let items: [[String: JSONValue]]

        init(_ reference: Reference) {
            id = reference.id.rawValue
            seconds = reference.signature.duration.seconds
            landmarks = reference.signature.landmarks.count
            items = reference.items.map(JSONValue.object)
        }
    }

    struct ListCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the references of a catalog."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let catalog = try CatalogCommand.open(self.catalog)
            var entries: [Entry] = []
            var total = MediaTime.zero
            try catalog.forEachReference { reference in
                total += reference.signature.duration
                if output.json {
                    entries.append(Entry(reference))
                } else if output.jsonl {
                    Console.say(try JSON.line(Entry(reference)))
                } else {
                    let name = Wording.name(reference.id, reference.items)
                    let id = name == reference.id.rawValue ? "" : Console.dim("  \(reference.id)")
                    let length = reference.signature.duration.label
                    Console.say("\(String(repeating: " ", count: max(0, 8 - length.count)))\(length)  \(name)\(id)")
                }
            }
            if output.json {
                Console.say(try JSON.document(["references": entries]))
            } else if !output.jsonl, Console.isInteractive {
                let count = Wording.plural(catalog.count, "reference", "references")
                Console.note(
                    "\(count), \(Wording.length(total)); queries from \(catalog.queryLimits.minimum.seconds) "
                        + "to \(catalog.queryLimits.maximum.seconds) s"
                )
            }
        }
    }

    struct ShowCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a reference with all its properties."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @Argument(help: "The reference's name, as `catalog list` shows it.")
        var name: String

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let catalog = try CatalogCommand.open(self.catalog)
            guard let reference = try catalog.reference(ReferenceID(name)) else {
                throw EarshotError(
                    .referenceNotFound,
                    "\(self.catalog) has no reference named \(name): list the catalog to see the names."
                )
            }
            if json {
                Console.say(try JSON.document(Entry(reference)))
                return
            }
            Console.say(Console.bold(reference.id.rawValue))
            Console.say("  duration  \(Wording.position(reference.signature.duration))")
            Console.say("  landmarks \(reference.signature.landmarks.count)")
            for item in reference.items {
                Console.say("  item")
                for (key, value) in item.properties.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    Console.say("    \(key): \(try JSON.line(JSONValue(value)))")
                }
            }
        }
    }

    struct ExportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write each reference as a signature file, and the media items as items.jsonl.",
            discussion: "The signatures are those of the catalog: the strongest 32 landmarks a second."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @Option(name: .shortAndLong, help: "A folder for the files; it must be new or empty.", completion: .directory)
        var output: String

        private struct Line: Encodable {
            let file: String
            let reference: Entry
        }

        func run() async throws {
            let catalog = try CatalogCommand.open(self.catalog)
            let folder = URL(fileURLWithPath: output, isDirectory: true)
            if let inside = try? FileManager.default.contentsOfDirectory(atPath: folder.path), !inside.isEmpty {
                throw AtomicFile.exists(folder)
            }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw EarshotError(.writeFailed, "Cannot make the folder \(output).", cause: error)
            }
            var lines: [String] = []
            try catalog.forEachReference { reference in
                // Numbered, so that names that a file system cannot hold do not matter.
                let safe = reference.id.rawValue.map { $0.isLetter || $0.isNumber || "-_. ".contains($0) ? $0 : "_" }
                let file = "\(String(format: "%06d", lines.count + 1)) \(String(safe.suffix(60))).earsig"
                try reference.signature.write(to: folder.appendingPathComponent(file))
                lines.append(try JSON.line(Line(file: file, reference: Entry(reference))))
            }
            let text = lines.joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: folder.appendingPathComponent("items.jsonl"), replacing: false)
            Console.say("\(output): \(Wording.plural(lines.count, "signature", "signatures")) and items.jsonl")
        }
    }
}
