import ArgumentParser
import CommandKit
import Earshot
import Foundation

#if Service
    import EarshotSharedCatalogs
#endif

extension CatalogCommand {
    struct AddCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add audio files, signatures or exported folders to a catalog.",
            discussion: """
                A catalog file is written once, at the end. A store takes 64 references at a time, each time whole or not at \
                all. A folder that `catalog export` wrote brings its references with their names and media items.

                EXAMPLES
                  earshot catalog add music.earcat song.flac
                  earshot catalog add music.earstore new/*.flac --duplicates skip
                  earshot catalog add music.earcat exported
                  earshot catalog add shows.earcat episode3.earsig --id episode-3 --set title="Count on Me" --set episode=3
                  earshot catalog add music song.flac --bucket https://s3.example.org/earshot --database postgresql://earshot@db/earshot
                """
        )

        @Argument(help: "The catalog; with --bucket, its name.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalog: String

        @Argument(help: "Audio files, signatures, and folders that `catalog export` wrote.", completion: .file())
        var inputs: [String]

        @Option(name: .long, help: "The reference's name (one input only; default: the file's name).")
        var id: String?

        @Option(
            name: .long,
            help:
                "A property of the media item, KEY=VALUE; may be repeated. Whole numbers, reals, true and false are stored as such."
        )
        var set: [String] = []

        @OptionGroup var duplicates: DuplicateOption

        @OptionGroup var waiting: WaitOptions
        #if Service
            @OptionGroup var nodes: NodeOptions
        #endif
        @OptionGroup var format: JSONOption

        @Flag(name: .long, help: "Print one JSON object a line: what is on the disk, as soon as it is.")
        var jsonl = false

        @Option(name: .long, help: ArgumentHelp("References that a store takes at a time.", visibility: .hidden))
        var batch = CatalogWriter.batchCount

        func validate() throws {
            guard id == nil || inputs.count == 1 else { throw ValidationError("--id needs exactly one input.") }
            guard id != nil || !inputs.contains("-") else {
                throw ValidationError("Standard input has no name: give the reference one with --id.")
            }
            for property in set where !property.contains("=") {
                throw ValidationError("\"\(property)\" is not KEY=VALUE.")
            }
            guard batch > 0 else { throw ValidationError("--batch must be at least 1.") }
            #if Service
                if isShared, duplicates.duplicates != .keep, duplicates.duplicates != .ignore {
                    throw ValidationError("Duplicates are not looked for in a catalog that services share.")
                }
                if isShared, inputs.contains(where: { !Clip.url($0).isFileURL }) {
                    throw ValidationError("Only files can be entered for a catalog that services share.")
                }
            #endif
            if format.json, jsonl { throw ValidationError("Choose --json or --jsonl, not both.") }
        }

        func run() async throws {
            #if Service
                if isShared { return try await runShared() }
            #endif
            let url = URL(fileURLWithPath: catalog)
            // A mistake in the name of the catalog is told before the work, not after it.
            _ = try Catalog(contentsOf: url)
            let isStore = CatalogStore.exists(at: url)
            try CatalogForm.awaitTurn(url, patience: waiting.patience(catalog))
            let sources = try sources()
            let bar = ProgressBar(total: sources.count)
            defer { bar.finish() }
            var whole: Acknowledgement?
            var rest = sources[...]
            while !rest.isEmpty {
                // What takes long comes before the catalog is locked.
                let part = isStore ? rest.prefix(batch) : rest
                rest = rest.dropFirst(part.count)
                var additions: [Catalog.Addition] = []
                for source in part {
                    let addition = try await addition(source)
                    additions.append(addition)
                    bar.step(audioSeconds: addition.signature.duration.seconds)
                }
                for chunk in isStore ? CatalogWriter.batches(additions, count: batch) : [additions] {
                    let part = try commit(chunk, to: url)
                    whole = whole?.joined(part) ?? part
                }
            }
            if format.json, let whole { Terminal.print(try JSON.document(whole)) }
        }

        #if Service
            /// Says that the catalog is one that services share.
            private var isShared: Bool { nodes.bucket != nil || nodes.database != nil }

            /// Enters the inputs, and works until no file is left.
            private func runShared() async throws {
                try SharedBuild.check(catalog)
                var own: [MediaItemKey: PropertyValue] = [:]
                for property in set.map(PropertyArgument.init) { own[property.key] = property.value }
                let files = try sources().map { [own] source -> IngestFile in
                    switch source {
                    case .file(let input):
                        let url = Clip.url(input).standardizedFileURL
                        return IngestFile(
                            id: ReferenceID(nfc: id ?? url.lastPathComponent),
                            path: url.path,
                            items: own.isEmpty ? [] : [try MediaItem(properties: own)]
                        )
                    case .exported(let entry):
                        let properties = (entry.items.first?.properties ?? [:]).merging(own) { _, new in new }
                        let first = properties.isEmpty ? [] : [try MediaItem(properties: properties)]
                        return IngestFile(id: entry.id, path: entry.file.path, items: first + entry.items.dropFirst())
                    }
                }
                for file in files { if let failure = MissingFile.failure(at: file.path) { throw failure } }
                let plan = try SharedBuild.Plan(files)
                let build = try await SharedBuild(catalog, nodes, .existing)
                let report = try await build.work(try await build.enter(plan))
                if jsonl {
                    Terminal.print(try JSON.line(report))
                } else {
                    try CatalogCommand.print(report, json: format.json)
                }
            }
        #endif

        /// A source of references: a file, or a reference of an exported folder.
        private enum Source {
            case file(String)
            case exported(ExportedFolder.Entry)
        }

        private func sources() throws -> [Source] {
            try inputs.flatMap { input -> [Source] in
                let url = Clip.url(input)
                guard url.isFileURL, ExportedFolder.exists(at: url) else { return [.file(input)] }
                guard id == nil else {
                    throw ValidationError("--id names one reference, and \(input) is a folder of them: leave it out.")
                }
                return try ExportedFolder(url).entries.map { .exported($0) }
            }
        }

        private func addition(_ source: Source) async throws -> Catalog.Addition {
            switch source {
            case .file(let input):
                let url = Clip.url(input)
                let items = try await items(for: url)
                let signature = try await Clip.audio(input).recognizable(named: input)
                let id = ReferenceID(nfc: id ?? url.lastPathComponent)
                return Catalog.Addition(id: id, signature: signature, items: items)
            case .exported(let entry):
                let addition = try entry.addition()
                guard !set.isEmpty else { return addition }
                var properties = addition.items.first?.properties ?? [:]
                for property in set.map(PropertyArgument.init) { properties[property.key] = property.value }
                let items = [try MediaItem(properties: properties)] + addition.items.dropFirst()
                return Catalog.Addition(id: addition.id, signature: addition.signature, items: items)
            }
        }

        private func commit(_ additions: [Catalog.Addition], to url: URL) throws -> Acknowledgement {
            let policy = duplicates.duplicates
            let acknowledgement = try CatalogForm.change(url, patience: waiting.patience(catalog)) { catalog in
                let outcomes = try catalog.add(additions, duplicates: policy)
                if let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
                return Acknowledgement(outcomes, references: catalog.count)
            }
            if jsonl { Terminal.print(try JSON.line(acknowledgement)) }
            guard !jsonl, !format.json else { return acknowledgement }
            for note in acknowledgement.duplicates { Terminal.note(note.sentence) }
            for id in acknowledgement.replaced { Terminal.note("Removed \(id).") }
            for id in acknowledgement.added { Terminal.note("Added \(id).") }
            for id in acknowledgement.skipped { Terminal.note("Left out \(id).") }
            return acknowledgement
        }

        /// Returns the items that the tags of an audio file and the arguments describe. A signature has no tags, and a
        /// pipe is read only once.
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
