import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import Foundation

struct ImportMusicBrainzCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "musicbrainz",
        abstract: "Import MusicBrainz dumps: artists, then releases with their tracks.",
        discussion: """
            A JSON dump is a file of lines, as it lies unpacked in mbdump/ of artist.tar.xz and release.tar.xz. Its kind is \
            told from its name, or with --kind. A folder is one of tables: mbdump/ of mbdump.tar.bz2. An import that was ended goes on where it was; a file of another size begins \
            anew. Lines that cannot be used are passed over and, with --rejects, written to a file with the reason.

            EXAMPLES
              earshot import musicbrainz mbdump/artist mbdump/release
              tar -xjf mbdump.tar.bz2 mbdump && earshot import musicbrainz mbdump
              earshot import musicbrainz mbdump/release --rejects rejects.jsonl
              tar -xJOf release.tar.xz mbdump/release | earshot import musicbrainz - --kind release
            """
    )

    @Argument(help: "Files of lines, artists first; - for standard input; or a folder of tables.", completion: .file())
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
        for file in files where kind(of: file) == nil && !isFolder(file) {
            throw ValidationError("What \(file) holds is not told by its name: say --kind artist or --kind release.")
        }
    }

    private func kind(of file: String) -> MusicBrainzReader.Kind? {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        return MusicBrainzReader.Kind(rawValue: kind?.rawValue ?? name)
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private struct Summary: Encodable {
        let file: String
        let progress: MusicImport.Progress
    }

    /// Makes changes of a line.
    private typealias Changes = @Sendable (Data) throws(EarshotError) -> [MusicChange]

    /// A file whose lines are imported, and what makes changes of them.
    private struct Source {
        let file: String
        /// The kind of the file, for messages.
        let kind: String
        /// Prepares the import of the file: of a table, by reading what its rows refer to.
        let prepare: @Sendable () throws(EarshotError) -> Changes
    }

    private func sources() throws -> [Source] {
        var sources: [Source] = []
        for file in files {
            if isFolder(file) {
                let tables = try MusicBrainzTables(folder: URL(fileURLWithPath: file))
                sources += MusicBrainzTables.Table.allCases.map { table in
                    Source(file: tables.path(of: table), kind: "table \(table.rawValue)") {
                        () throws(EarshotError) -> Changes in
                        try tables.changes(of: table, descriptors: .init(.builtIn))
                    }
                }
            } else if let kind = kind(of: file) {
                if file != "-" { try MusicImport.check(file) }
                sources.append(
                    Source(file: file, kind: "kind \(kind.rawValue)") {
                        () throws(EarshotError) -> Changes in
                        let reader = MusicBrainzReader(descriptors: .init(.builtIn))
                        return { (line: Data) throws(EarshotError) in try reader.changes(in: line, of: kind) }
                    }
                )
            }
        }
        return sources
    }

    func run() async throws {
        let sources = try self.sources()
        let store = try await database.made()
        let list = try rejects.map { try RejectList(path: $0) }
        let interruption = Interruption("Interrupted: run the same command again to go on.")
        defer { withExtendedLifetime(interruption) {} }
        var summaries: [Summary] = []
        for source in sources {
            let file = source.file
            let changes = try await BlockingWork.run(source.prepare)
            let name = file == "-" ? nil : "musicbrainz \(URL(fileURLWithPath: file).standardizedFileURL.path)"
            if restart, let name { try await store.apply([.checkpoint(name, value: nil)]) }
            let bar = ByteBar()
            let done = try await MusicImport(into: store).run(
                file,
                name: name,
                rejected: { list?.add($0, of: file) },
                progress: { bar.show(Int64(clamping: $0.bytes), $0.size.map { Int64(clamping: $0) }) },
                changes: changes
            )
            bar.finish()
            guard done.changes > 0 || done.rejected == 0 else {
                throw EarshotError(
                    .metadataInvalid,
                    "No line of \(file) could be used: is it a dump of MusicBrainz, unpacked, of \(source.kind)?"
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
