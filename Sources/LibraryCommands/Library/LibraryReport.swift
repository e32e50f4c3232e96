import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotMusic
import EarshotRecognition

/// A report about an identified collection.
struct LibraryReport: Encodable {
    /// A file that is a track.
    struct File: Encodable {
        let file: String
        let trackID, title, artist: String?
        let disc, trackNumber: Int?
        let confidence: Double
        let duplicateOf: String?
        /// Says that the file does not sound like the recording of the track in the catalog.
        let isContradictedBySound: Bool
        let reasons: [MatchReason]

        /// The reason against the track by its sound; `nil` if there is none.
        var contradiction: String? { isContradictedBySound ? reasons.first { $0.kind == .sound }?.text : nil }
    }

    /// An album, and the files that are of it.
    struct AlbumPart: Encodable {
        let albumID, title, artist, year: String?
        let trackCount: Int?
        let confidence: Double
        /// The confidence that it is this edition.
        let editionConfidence: Double
        /// The address of its cover.
        let cover: String?
        var files: [File]

        /// The number of its tracks that are there.
        var found: Int { Set(files.map { $0.trackID ?? $0.file }).count }

        /// The extent to which it is there, in words.
        var extent: String {
            trackCount.map { "\(found) of \(DisplayText.plural($0, "track", "tracks"))" }
                ?? DisplayText.plural(found, "track", "tracks")
        }
    }

    struct Failure: Encodable {
        let file, code, message: String
    }

    /// A file that is nothing that is known, and what came nearest.
    struct Unmatched: Encodable {
        let file: String
        let reasons: [MatchReason]
    }

    private(set) var albums: [AlbumPart] = []
    let unmatched: [Unmatched]
    let failed: [Failure]
    let queries: Int

    init(_ result: AlbumIdentificationResult) {
        unmatched = result.unmatched.map { Unmatched(file: $0.file, reasons: $0.reasons) }
        failed = result.failed.map { Failure(file: $0.file, code: $0.code, message: $0.message) }
        queries = result.queryCount
        var places: [EntityID<Album>?: Int] = [:]
        for decision in result.matched {
            guard let match = decision.match else { continue }
            let place = places[match.album.id] ?? albums.count
            if place == albums.count {
                places[match.album.id] = place
                albums.append(
                    AlbumPart(
                        albumID: match.album.id?.rawValue,
                        title: match.album.title,
                        artist: match.album.artist,
                        year: match.album.releaseYear,
                        trackCount: match.album.trackCount > 0 ? match.album.trackCount : nil,
                        confidence: Self.rounded(decision.albumConfidence),
                        editionConfidence: Self.rounded(decision.editionConfidence),
                        cover: match.album.coverArt?.url,
                        files: []
                    )
                )
            }
            albums[place].files.append(
                File(
                    file: decision.file,
                    trackID: match.track.id?.rawValue,
                    title: match.track.title,
                    artist: match.artist.name,
                    disc: (match.album.discCount ?? 1) > 1 ? match.track.discNumber : nil,
                    trackNumber: match.track.number > 0 ? match.track.number : nil,
                    confidence: Self.rounded(decision.confidence),
                    duplicateOf: decision.duplicateOf,
                    isContradictedBySound: decision.isContradictedBySound,
                    reasons: decision.reasons
                )
            )
        }
    }

    /// Ends with the status that belongs to a result: whoever runs this at night is told of files that could not be read.
    static func finish(_ result: AlbumIdentificationResult) throws {
        if !result.failed.isEmpty { throw ExitCode(1) }
        if result.matched.isEmpty { throw ExitCode(3) }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    func print(why: Bool) {
        for album in albums {
            let name = [album.artist, album.title].compactMap(\.self).joined(separator: " – ")
            let year = album.year.map { " (\($0))" } ?? ""
            Terminal.print(
                Terminal.bold(Terminal.shown(name + year)) + "  \(album.extent), \(percent(album.confidence))"
            )
            for file in album.files {
                let disc = file.disc.map { "\($0)-" } ?? ""
                let number = disc + (file.trackNumber.map { $0 < 10 ? " \($0)" : "\($0)" } ?? "  ")
                let copy = file.duplicateOf.map { "  a copy of \($0)" } ?? ""
                Terminal.print(
                    "  \(number)  \(Terminal.shown(file.title ?? "untitled"))  \(Terminal.dim(Terminal.shown(file.file)))  "
                        + percent(file.confidence) + Terminal.shown(copy)
                )
                if !why, let contradiction = file.contradiction {
                    Terminal.print(Terminal.dim("        " + Terminal.shown(contradiction)))
                }
                if why {
                    for reason in file.reasons {
                        Terminal.print(Terminal.dim("        " + Terminal.shown(reason.text)))
                    }
                }
            }
        }
        if !unmatched.isEmpty {
            Terminal.print(Terminal.bold("Not known") + "  \(DisplayText.plural(unmatched.count, "file", "files"))")
            for unknown in unmatched {
                Terminal.print("      " + Terminal.shown(unknown.file))
                if why {
                    for reason in unknown.reasons {
                        Terminal.print(Terminal.dim("        " + Terminal.shown(reason.text)))
                    }
                }
            }
        }
        for failure in failed { Terminal.printError(Terminal.shown("\(failure.file): \(failure.message)")) }
    }

    private func percent(_ value: Double) -> String { "\(Int((value * 100).rounded(.down))) %" }
}
