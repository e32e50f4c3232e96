import ArgumentParser
import CommandKit
import EarshotCore
import EarshotIngest
import EarshotMusic
import Foundation

struct ImportCoversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "covers",
        abstract: "Import covers of albums from a folder of pictures that are named by MBIDs.",
        discussion: """
            A picture belongs to the release whose MBID is in its name, or else in the name of its folder. It is the cover, or the \
            back if its name says so; what other pictures of the Cover Art Archive show is told by index.json beside them. Import \
            the albums first.

            EXAMPLES
              earshot import covers covers            covers/<MBID>.jpg, covers/<MBID>/front.png, covers/<MBID>/back.jpg
              earshot import covers archive           archive/mbid-<MBID>/mbid-<MBID>-<number>.jpg and index.json
            """
    )

    @Argument(help: "Folders with pictures.", completion: .directory)
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
            let files = try MusicFiles(
                [folder],
                suffixes: CoverArchive.suffixes,
                lookingFor: ("picture", "covers"),
                allowsNamesakes: true
            )
            return (folder, files)
        }
        let store = try await database.made()
        let list = try rejects.map { try RejectList(path: $0) }
        let interruption = Interruption("Interrupted: run the same command again.")
        defer { withExtendedLifetime(interruption) {} }
        let bar = ProgressBar(total: found.reduce(0) { $0 + $1.1.files.count })
        defer { bar.finish() }
        var summaries: [CoverArchive.Summary] = []
        for (folder, files) in found {
            let archive = CoverArchive(store: store) { list?.add($0, of: $1) }
            summaries.append(try await archive.run(files, of: folder, bar))
        }
        bar.finish()
        try list?.close()
        if json { return Terminal.print(try JSON.document(["imports": summaries])) }
        for summary in summaries {
            let files = DisplayText.plural(summary.files, "picture", "pictures")
            let passed = summary.rejected == 0 ? "" : ", \(summary.rejected) passed over"
            let counts = "\(summary.kept) kept, \(summary.others) of other things"
            Terminal.print("\(summary.folder): \(files), \(counts)\(passed)")
        }
    }
}
