import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization

struct ImportTableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Import a table of tracks: CSV with a header, or lines of JSON objects.",
        discussion: """
            Each row is a track. Columns (keys of JSON): title and artist, which each row needs; album, album_artist, \
            track_number, disc, track_count, year or date, duration (seconds or m:ss), isrc, barcode, genre, mood, tempo, \
            origin, era, artist_type, title_reading, artist_reading, album_reading, album_review and artist_biography \
            (paragraphs between blank lines, or a JSON array), popularity (0 to 1), artist_alternates (between semicolons, \
            or a JSON array), track_id, album_id, artist_id, album_artist_id. link_SOURCE and album_link_SOURCE hold ids in \
            other catalogs; title_jpn, album_jpn, artist_jpn and the like names in a language, by ISO 639-3 code.

            The separator is told from the header: a comma, a semicolon or a tab. Quoted fields may hold ends of lines, up to \
            4 MiB a row. Ids that are not given are made from the names, so that a repeated import replaces what it made; \
            what a row does not say of its artist and album stays as it is. An import that was ended goes on where it was; a \
            file of another size begins anew. Rows that cannot be used are passed over.

            EXAMPLES
              earshot import table tracks.csv
              earshot import table tracks.jsonl --rejects rejects.jsonl
              earshot import table export.csv --ignore-unknown --restart
            """
    )

    @Argument(help: "Tables, UTF-8; - for standard input.", completion: .file())
    var files: [String]

    @Flag(name: .long, help: "Pass over columns that are not known.")
    var ignoreUnknown = false

    @Option(name: .long, help: "Write rows that cannot be used here, one JSON object each.", completion: .file())
    var rejects: String?

    @Flag(name: .long, help: "Begin anew, even where an import was ended.")
    var restart = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var database: MusicDatabase

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("Name the tables to import.") }
    }

    private struct Summary: Encodable {
        let file: String
        let progress: MusicImport.Progress
        let unknown: [String: [String: Int]]
    }

    func run() async throws {
        for file in files where file != "-" { try MusicImport.check(file) }
        let store = try await database.made()
        let list = try rejects.map { try RejectList(path: $0) }
        let interruption = Interruption("Interrupted: run the same command again to go on.")
        defer { withExtendedLifetime(interruption) {} }
        var summaries: [Summary] = []
        for file in files {
            let name = file == "-" ? nil : "table \(URL(fileURLWithPath: file).standardizedFileURL.path)"
            if restart, let name { try await store.apply([.checkpoint(name, value: nil)]) }
            let bar = ByteBar()
            let unknown = UnknownDescriptors()
            let first = FirstReject()
            let done = try await MusicImport(into: store).runTable(
                file,
                name: name,
                ignoresUnknown: ignoreUnknown,
                unknown: unknown,
                rejected: { reject in
                    first.keep(reject)
                    list?.add(reject, of: file)
                },
                progress: { bar.show(Int64(clamping: $0.bytes), $0.size.map { Int64(clamping: $0) }) }
            )
            bar.finish()
            if done.changes == 0, let reject = first.reject {
                throw EarshotError(
                    .metadataInvalid,
                    "No row of \(file) could be used. Line \(reject.line): \(reject.reason.message)"
                )
            }
            summaries.append(Summary(file: file, progress: done, unknown: UnknownNote.document(unknown)))
            if !json {
                let before = done.earlier == 0 ? "" : " (\(done.earlier) of them in an earlier run)"
                let passed =
                    done.rejected == 0 ? "" : ", \(DisplayText.plural(done.rejected, "row", "rows")) passed over"
                let lines = DisplayText.plural(done.lines, "line", "lines")
                Terminal.print("\(file): \(lines)\(before), \(done.changes) entries\(passed)")
                for line in UnknownNote.lines(unknown) { Terminal.note(line) }
            }
        }
        try list?.close()
        if json { Terminal.print(try JSON.document(["imports": summaries])) }
    }
}

/// The first row that was passed over: what is wrong with it is likely to be wrong with all.
private final class FirstReject: Sendable {
    private let state = Mutex<MusicImport.Reject?>(nil)

    var reject: MusicImport.Reject? { state.withLock(\.self) }

    func keep(_ reject: MusicImport.Reject) { state.withLock { $0 = $0 ?? reject } }
}
