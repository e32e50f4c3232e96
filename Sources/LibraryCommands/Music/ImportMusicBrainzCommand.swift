import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import Foundation

struct ImportMusicBrainzCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "musicbrainz",
        abstract: "Import MusicBrainz JSON dumps: artists, then releases with their tracks.",
        discussion: """
            A dump is a file of lines, as it lies unpacked in mbdump/ of artist.tar.xz and release.tar.xz. Its kind is told \
            from its name, or with --kind. An import that was ended goes on where it was; a file of another size begins \
            anew. Lines that cannot be used are passed over and, with --rejects, written to a file with the reason.

            EXAMPLES
              earshot import musicbrainz mbdump/artist mbdump/release
              earshot import musicbrainz mbdump/release --rejects rejects.jsonl
              tar -xJOf release.tar.xz mbdump/release | earshot import musicbrainz - --kind release
            """
    )

    @Argument(help: "Files of lines, artists first; - for standard input.", completion: .file())
    var files: [String]

    @Option(name: .long, help: "What the lines are.")
    var kind: DumpKind?

    @Option(name: .long, help: "Write lines that cannot be used here, one JSON object each.", completion: .file())
    var rejects: String?

    @Flag(name: .long, help: "Begin anew, even where an import was ended.")
    var restart = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var database: MusicDatabase

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("Name the files to import.") }
        for file in files where kind(of: file) == nil {
            throw ValidationError("What \(file) holds is not told by its name: say --kind artist or --kind release.")
        }
    }

    private func kind(of file: String) -> MusicBrainzReader.Kind? {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        return MusicBrainzReader.Kind(rawValue: kind?.rawValue ?? name)
    }

    private struct Summary: Encodable {
        let file: String
        let progress: MusicImport.Progress
    }

    func run() async throws {
        for file in files where file != "-" { try MusicImport.check(file) }
        let store = try await database.made()
        let list = try rejects.map { try RejectList(path: $0) }
        let reader = MusicBrainzReader(descriptors: .init(.builtIn))
        let interruption = Interruption("Interrupted: run the same command again to go on.")
        defer { withExtendedLifetime(interruption) {} }
        var summaries: [Summary] = []
        for file in files {
            guard let kind = kind(of: file) else { continue }
            let name = file == "-" ? nil : "musicbrainz \(URL(fileURLWithPath: file).standardizedFileURL.path)"
            if restart, let name { try await store.apply([.checkpoint(name, value: nil)]) }
            let bar = ByteBar()
            let done = try await MusicImport(into: store).run(
                file,
                name: name,
                rejected: { list?.add($0, of: file) },
                progress: { bar.show(Int64(clamping: $0.bytes), $0.size.map { Int64(clamping: $0) }) },
                changes: { line throws(EarshotError) in try reader.changes(in: line, of: kind) }
            )
            bar.finish()
            guard done.changes > 0 || done.rejected == 0 else {
                throw EarshotError(
                    .metadataInvalid,
                    "No line of \(file) could be used: is it a dump of MusicBrainz, unpacked, of kind \(kind.rawValue)?"
                )
            }
            summaries.append(Summary(file: file, progress: done))
            if !json {
                let before = done.earlier == 0 ? "" : " (\(done.earlier) of them in an earlier run)"
                let passed =
                    done.rejected == 0 ? "" : ", \(DisplayText.plural(done.rejected, "line", "lines")) passed over"
                let lines = DisplayText.plural(done.lines, "line", "lines")
                Terminal.print("\(file): \(lines)\(before), \(done.changes) entries\(passed)")
            }
        }
        try list?.close()
        if json { Terminal.print(try JSON.document(["imports": summaries])) }
    }
}

/// The kind of the lines of a dump, on the command line.
enum DumpKind: String, ExpressibleByArgument, CaseIterable {
    case artist, release
}
