import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import Foundation

struct ImportLyricsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lyrics",
        abstract: "Import folders of lyrics: LRC and plain text.",
        discussion: """
            Every .lrc and .txt file below a folder holds the words of one song. Whose they are is told, in this order, by \
            the tags of an audio file of the same name beside it, by [ar:…] and [ti:…] in it, and by its own name, \
            "Artist - Title". They go to the tracks of the database of that artist and title, without regard to case, accents \
            and punctuation; where there is none, they are kept with artist and title. Import tracks first.

            A file that is imported again replaces its words.

            EXAMPLES
              earshot import lyrics ~/Music
              earshot import lyrics lyrics --rejects rejects.jsonl
            """
    )

    @Argument(help: "Folders with files of lyrics.", completion: .directory)
    var folders: [String]

    @Option(name: .long, help: "Write files that cannot be used here, one JSON object each.", completion: .file())
    var rejects: String?

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var database: MusicDatabase

    func validate() throws {
        guard !folders.isEmpty else { throw ValidationError("Name the folders to import.") }
    }

    func run() async throws {
        let found = try folders.map { folder in
            (folder, try MusicFiles([folder], suffixes: ["lrc", "txt"], lookingFor: ("file of lyrics", "lyrics")))
        }
        let store = try await database.made()
        let list = try rejects.map { try RejectList(path: $0) }
        let interruption = Interruption("Interrupted: run the same command again.")
        defer { withExtendedLifetime(interruption) {} }
        let bar = ProgressBar(total: found.reduce(0) { $0 + $1.1.files.count })
        defer { bar.finish() }
        var summaries: [LyricsFolder.Summary] = []
        for (folder, files) in found {
            let importing = LyricsFolder(store: store) { list?.add($0, of: $1) }
            summaries.append(try await importing.run(files, of: folder, bar))
        }
        bar.finish()
        try list?.close()
        if json { return Terminal.print(try JSON.document(["imports": summaries])) }
        for summary in summaries {
            let files = DisplayText.plural(summary.files, "file", "files")
            let passed = summary.rejected == 0 ? "" : ", \(summary.rejected) passed over"
            Terminal.print(
                "\(summary.folder): \(files), \(summary.matched) with a track, \(summary.unmatched) without\(passed)"
            )
        }
    }
}
