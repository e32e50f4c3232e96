import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct ExportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a catalog as one file, or as a folder of signature files with items.jsonl.",
            discussion: """
                An output that ends in .earcat is one catalog file, for handing on. Any other is a folder: each reference as a \
                signature, and the media items as items.jsonl. The signatures are those of the catalog: the strongest 48 \
                landmarks a second.
                """
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalog: String

        @Option(
            name: .shortAndLong,
            help: "A catalog file (.earcat), or a folder for the files; it must be new or empty.",
            completion: .file()
        )
        var output: String

        @OptionGroup var format: JSONOption

        /// The last characters of a name that together take at most 120 bytes.
        private static func ending(of name: String) -> String {
            var ending = name[...]
            while ending.utf8.count > 120 { ending.removeFirst() }
            return String(ending)
        }

        private struct Line: Encodable {
            let file: String
            let reference: Entry
        }

        func run() async throws {
            let catalog = try CatalogCommand.open(self.catalog)
            if output.hasSuffix(".earcat") {
                try catalog.verify()
                let written = try catalog.write(to: URL(fileURLWithPath: output))
                try format.say(
                    "\(written.path): \(Wording.plural(catalog.count, "reference", "references"))",
                    ["output": .text(written.path), "references": .count(catalog.count)]
                )
                return
            }
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
                let file = "\(String(format: "%06d", lines.count + 1)) \(Self.ending(of: String(safe))).earsig"
                try reference.signature.write(to: folder.appendingPathComponent(file))
                lines.append(try JSON.line(Line(file: file, reference: Entry(reference))))
            }
            let text = lines.joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: folder.appendingPathComponent("items.jsonl"), replacing: false)
            try format.say(
                "\(output): \(Wording.plural(lines.count, "signature", "signatures")) and items.jsonl",
                ["output": .text(output), "references": .count(lines.count)]
            )
        }
    }
}
