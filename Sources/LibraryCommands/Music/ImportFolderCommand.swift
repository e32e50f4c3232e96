import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import Foundation

struct ImportFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Import the tags and covers of folders of audio files.",
        discussion: """
            Every audio file below a folder becomes a track, by its tags; a file without a title is passed over. The id is \
            that of the MusicBrainz recording where a tag has it, otherwise one made from the names. The cover is the picture \
            inside the file, otherwise cover, folder or front (.jpg, .png, .webp, .gif, .bmp) beside it.

            Files of the same size and date as the last time are passed over, so that an import that was ended goes on, and \
            one of a folder that has grown reads what is new. Tracks of files that are gone stay.

            EXAMPLES
              earshot import folder ~/Music
              earshot import folder ~/Music --rejects rejects.jsonl --json
            """
    )

    @Argument(help: "Folders with audio files.", completion: .directory)
    var folders: [String]

    @Option(name: .long, help: "Write files that cannot be used here, one JSON object each.", completion: .file())
    var rejects: String?

    @Flag(name: .long, help: "Read all files, those that have not changed too.")
    var restart = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var database: MusicDatabase

    func validate() throws {
        guard !folders.isEmpty else { throw ValidationError("Name the folders to import.") }
    }

    private struct Document: Encodable {
        let imports: [FolderImport.Summary]
        let unknown: [String: [String: Int]]
    }

    func run() async throws {
        // One by one: two folders of one name are no fault here.
        let found = try folders.map { folder in (folder, try MusicFiles([folder])) }
        let store = try await database.made()
        let list = try rejects.map { try RejectList(path: $0) }
        let interruption = Interruption("Interrupted: run the same command again to go on.")
        defer { withExtendedLifetime(interruption) {} }
        let unknown = UnknownDescriptors()
        let bar = ProgressBar(total: found.reduce(0) { $0 + $1.1.files.count })
        defer { bar.finish() }
        var summaries: [FolderImport.Summary] = []
        for (folder, files) in found {
            let importing = FolderImport(store: store, unknown: unknown) { list?.add($0, of: $1) }
            summaries.append(try await importing.run(files, of: folder, restart: restart, bar))
        }
        bar.finish()
        try list?.close()
        if json {
            let document = Document(imports: summaries, unknown: UnknownNote.document(unknown))
            return Terminal.print(try JSON.document(document))
        }
        for summary in summaries {
            var parts = [DisplayText.plural(summary.files, "file", "files")]
            if summary.unchanged > 0 { parts.append("\(summary.unchanged) unchanged") }
            parts.append("\(summary.changes) entries")
            if summary.pictures > 0 { parts.append(DisplayText.plural(summary.pictures, "picture", "pictures")) }
            if summary.rejected > 0 { parts.append("\(summary.rejected) passed over") }
            Terminal.print("\(summary.folder): \(parts.joined(separator: ", "))")
        }
        for line in UnknownNote.lines(unknown) { Terminal.note(line) }
    }
}
