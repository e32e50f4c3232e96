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
            guard id != nil || !inputs.contains("-") else {
                throw ValidationError("Standard input has no name: give the reference one with --id.")
            }
            for property in set where !property.contains("=") {
                throw ValidationError("\"\(property)\" is not KEY=VALUE.")
            }
        }

        func run() async throws {
            // What takes long comes before the catalog is locked.
            var additions: [(id: ReferenceID, signature: Signature, items: [MediaItem])] = []
            for input in inputs {
                let url = Clip.url(input)
                let items = try await items(for: url)
                additions.append(
                    (ReferenceID(nfc: id ?? url.lastPathComponent), try await Clip.signature(input), items)
                )
            }
            try await CatalogLock.change(catalog) { catalog in
                for addition in additions {
                    try catalog.add(addition.signature, representing: addition.items, id: addition.id)
                }
            }
            for addition in additions { Console.note("Added \(addition.id).") }
        }

        /// What the tags of an audio file and the arguments say. A signature has no tags, and a pipe is read only once.
        private func items(for url: URL) async throws -> [MediaItem] {
            var properties: [MediaItemKey: PropertyValue] = [:]
            if url.isFileURL, url.pathExtension.lowercased() != "earsig" {
                properties = MediaItem(try await Asset.load(url)).properties
                properties[.sourceStamp] = .string(try SourceStamp.stamp(of: url))
            }
            for property in set.map(PropertyArgument.init) { properties[property.key] = property.value }
            return properties.isEmpty ? [] : [try MediaItem(properties: properties)]
        }
    }
}
