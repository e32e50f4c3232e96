import ArgumentParser
import CommandKit
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
                landmarks a second. `catalog add`, `create` and `import` take such a folder again, with names and media items.

                EXAMPLES
                  earshot catalog export music.earstore -o music.earcat
                  earshot catalog export music.earcat -o music
                  earshot catalog create music -o again.earcat
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

        @Flag(name: .long, help: "Replace the file, or the folder of an earlier export, that is there.")
        var replace = false

        @OptionGroup var format: JSONOption

        func run() async throws {
            let catalog = try CatalogArgument.open(self.catalog)
            if output.hasSuffix(".earcat") {
                try catalog.verify()
                let written = try catalog.write(to: URL(fileURLWithPath: output), replacing: replace)
                try format.print(
                    "\(written.path): \(DisplayText.plural(catalog.count, "reference", "references"))",
                    ["output": .string(written.path), "references": .integer(catalog.count)]
                )
                return
            }
            let folder = URL(fileURLWithPath: output, isDirectory: true)
            let count = try FolderExport(catalog, to: folder).write(replacing: replace)
            try format.print(
                "\(output): \(DisplayText.plural(count, "signature", "signatures")) and items.jsonl",
                ["output": .string(output), "references": .integer(count)]
            )
        }
    }
}
