import ArgumentParser
import CommandKit
import EarshotMusic

struct LibraryMissingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "missing",
        abstract: "List albums with holes, and what is missing of them.",
        discussion: """
            EXAMPLES
              earshot library missing ~/Music --catalog music.earcat
              earshot library missing ~/Music --from 3 --json

            Exit status 3: no album has a hole.
            """
    )

    @OptionGroup var library: LibraryOptions

    @Option(name: .long, help: "Leave out albums of which there are fewer tracks than this.")
    var from = 1

    @OptionGroup var output: OutputOptions

    /// An album with holes.
    struct Hole: Encodable {
        struct Missing: Encodable {
            let disc, number: Int?
            let title: String?
        }

        let albumID, title, artist, year: String?
        let found: Int
        let trackCount: Int?
        let missing: [Missing]
    }

    func run() async throws {
        let (report, _, knowledge) = try await library.identify()
        var holes: [Hole] = []
        for album in report.albums where album.found >= from {
            let missing = try await self.missing(of: album, knowledge)
            guard !missing.isEmpty else { continue }
            holes.append(
                Hole(
                    albumID: album.albumID,
                    title: album.title,
                    artist: album.artist,
                    year: album.year,
                    found: album.found,
                    trackCount: album.trackCount,
                    missing: missing
                )
            )
        }
        if output.json {
            Terminal.print(try JSON.document(["albums": holes]))
        } else if output.jsonl {
            for hole in holes { Terminal.print(try JSON.line(hole)) }
        } else {
            for hole in holes { show(hole) }
            if holes.isEmpty { Terminal.print("No album has a hole.") }
        }
        if holes.isEmpty { throw ExitCode(3) }
    }

    private func missing(
        of album: LibraryReport.AlbumPart,
        _ knowledge: LibraryKnowledge
    ) async throws -> [Hole.Missing] {
        let found = Set(album.files.compactMap(\.trackID))
        if let tracks = try await knowledge.tracks(of: album.albumID.map { EntityID<Album>($0) }) {
            let hasSeveral = tracks.contains { ($0.place?.medium ?? 1) > 1 }
            return tracks.filter { !found.contains($0.id.rawValue) }.map { track in
                Hole.Missing(
                    disc: hasSeveral ? track.place?.medium : nil,
                    number: track.place?.number,
                    title: track.title.text
                )
            }
        }
        // A service tells how many there are, and not which.
        guard let count = album.trackCount, count > album.found else { return [] }
        let numbers = Set(album.files.compactMap(\.trackNumber))
        let absent = (1...count).filter { !numbers.contains($0) }
        guard absent.count == count - album.found else {
            return Array(repeating: Hole.Missing(disc: nil, number: nil, title: nil), count: count - album.found)
        }
        return absent.map { Hole.Missing(disc: nil, number: $0, title: nil) }
    }

    private func show(_ hole: Hole) {
        let name = [hole.artist, hole.title].compactMap(\.self).joined(separator: " – ")
        let year = hole.year.map { " (\($0))" } ?? ""
        let extent =
            hole.trackCount.map { "\(hole.found) of \(DisplayText.plural($0, "track", "tracks"))" }
            ?? DisplayText.plural(hole.found, "track", "tracks")
        Terminal.print(Terminal.bold(Terminal.shown(name + year)) + "  \(extent)")
        for track in hole.missing {
            let disc = track.disc.map { "\($0)-" } ?? ""
            let number = track.number.map { disc + ($0 < 10 ? "0\($0)" : "\($0)") } ?? "  ?"
            Terminal.print("  \(number)  \(Terminal.shown(track.title ?? ""))")
        }
    }
}
