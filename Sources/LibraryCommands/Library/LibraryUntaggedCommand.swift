import ArgumentParser
import CommandKit
import EarshotLibrary
import Foundation

struct LibraryUntaggedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untagged",
        abstract: "List items of scanned folders that lack metadata, and what they lack.",
        discussion: """
            A text in any script is there; only what is absent is listed.

            EXAMPLES
              earshot library untagged
              earshot library untagged --field title year --json

            Exit status 3: nothing is missing.
            """
    )

    @OptionGroup var known: KnownItems

    @Option(
        name: .long,
        parsing: .upToNextOption,
        help: "What to look at: \(MissingMetadata.Field.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var field: [String] = []

    @OptionGroup var output: OutputOptions

    /// An item that lacks something.
    struct Line: Encodable {
        let item: String
        let path: String?
        let missing: [String]
    }

    func validate() throws {
        for name in field where MissingMetadata.Field(rawValue: name) == nil {
            let known = MissingMetadata.Field.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no field \"\(name)\": choose of \(known).")
        }
    }

    func run() async throws {
        let wanted = Set(field.compactMap(MissingMetadata.Field.init))
        let lines = try await known.items().compactMap { item in
            MissingMetadata(item, wanted: wanted.isEmpty ? MissingMetadata.usualFields : wanted).map {
                Line(item: item.id.rawValue, path: item.assetURL?.path, missing: $0.fields.map(\.rawValue))
            }
        }
        if output.json {
            Terminal.print(try JSON.document(["items": lines]))
        } else if output.jsonl {
            for line in lines { Terminal.print(try JSON.line(line)) }
        } else {
            for line in lines {
                Terminal.print(Terminal.shown(line.path ?? line.item) + "  " + line.missing.joined(separator: ", "))
            }
        }
        if lines.isEmpty { throw ExitCode(3) }
    }
}
