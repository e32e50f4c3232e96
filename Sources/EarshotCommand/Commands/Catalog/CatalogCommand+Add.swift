import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct AddCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add audio files or signatures to a catalog.",
            discussion: """
                EXAMPLES
                  earshot catalog add music.earcat song.flac
                  earshot catalog add shows.earcat episode3.earsig --id episode-3 --set title="Count on Me" --set episode=3
                """
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @Argument(help: "Audio files and signatures.", completion: .file())
        var inputs: [String]

        @Option(name: .long, help: "The reference's name (one input only; default: the file's name).")
        var id: String?

        @Option(
            name: .long,
            help:
                "A property of the media item, KEY=VALUE; may be repeated. Whole numbers, reals, true and false are stored as such."
        )
        var set: [String] = []

        func validate() throws {
            guard id == nil || inputs.count == 1 else { throw ValidationError("--id needs exactly one input.") }
            for property in set where !property.contains("=") {
                throw ValidationError("\"\(property)\" is not KEY=VALUE.")
            }
        }

        func run() async throws {
            var catalog = try CatalogCommand.open(self.catalog)
            for input in inputs {
                let url = Clip.url(input)
                let isSignature = url.pathExtension.lowercased() == "earsig"
                var properties = isSignature ? [:] : MediaItem(try await Asset.load(url)).properties
                for (key, value) in set.map(PropertyArgument.init).map({ ($0.key, $0.value) }) {
                    properties[key] = value
                }
                let items = properties.isEmpty ? [] : [try MediaItem(properties: properties)]
                let signature = try await Clip.signature(input)
                let name = try catalog.add(
                    signature,
                    representing: items,
                    id: ReferenceID(id ?? url.lastPathComponent)
                )
                Console.note("Added \(name).")
            }
            try catalog.write(to: URL(fileURLWithPath: self.catalog), replacing: true)
        }
    }
}
