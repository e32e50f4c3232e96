import ArgumentParser
import CommandKit

struct LibraryDuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "List tracks of which there are several files.",
        discussion: """
            Files are the same track when they are the same track of the same album, in whichever encoding and under whichever name. \
            The file that fits its album best comes first. With --catalog a file that does not sound like the track is left out, \
            whatever its tags say. Nothing is removed.

            EXAMPLES
              earshot library duplicates ~/Music --catalog music.earcat
              earshot library duplicates ~/Music --json

            Exit status 3: there are none.
            """
    )

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    /// A track of which there are several files.
    struct Several: Encodable {
        let trackID, title, artist, album: String?
        let files: [String]
    }

    func run() async throws {
        let (report, _, _) = try await library.identify()
        var found: [Several] = []
        for album in report.albums {
            var files: [String: [LibraryReport.File]] = [:]
            for file in album.files where !file.isContradictedBySound {
                if let track = file.trackID { files[track, default: []].append(file) }
            }
            for (track, copies) in files.sorted(by: { $0.key < $1.key }) where copies.count > 1 {
                // The first is the one that the others are copies of.
                let ordered = copies.filter { $0.duplicateOf == nil } + copies.filter { $0.duplicateOf != nil }
                found.append(
                    Several(
                        trackID: track,
                        title: copies[0].title,
                        artist: copies[0].artist,
                        album: album.title,
                        files: ordered.map(\.file)
                    )
                )
            }
        }
        if output.json {
            Terminal.print(try JSON.document(["duplicates": found]))
        } else if output.jsonl {
            for track in found { Terminal.print(try JSON.line(track)) }
        } else {
            for track in found {
                let name = [track.artist, track.title].compactMap(\.self).joined(separator: " – ")
                Terminal.print(
                    Terminal.bold(Terminal.shown(name)) + (track.album.map { "  " + Terminal.shown($0) } ?? "")
                )
                for file in track.files { Terminal.print("  " + Terminal.shown(file)) }
            }
            if found.isEmpty { Terminal.print("There are no duplicates.") }
        }
        if found.isEmpty { throw ExitCode(3) }
    }
}
