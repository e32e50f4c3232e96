import EarshotAlbums
import EarshotCore
import EarshotRecognition
import Foundation

/// A plan as a file: which tags somebody wants in which files of a folder. The page for albums of a service makes such files.
struct LibraryPlanFile: Decodable {
    /// The mark by which a plan is known.
    static let format = "earshot-library-plan"
    /// The version of the form.
    static let version = 1
    /// The largest file that is read, in bytes: some hundred thousand tracks.
    private static let sizeLimit = 64 << 20
    /// The largest number of a track or a medium.
    private static let largestNumber = 100_000

    /// The tags of one file. What is left out stays as it is.
    struct File: Decodable {
        /// The path below the folder, with slashes.
        let file: String
        /// The size in bytes; a file of another size is left alone.
        let size: Int?
        let title, artist, album, albumArtist: String?
        /// The year, as `1999`.
        let year: String?
        let trackNumber, trackCount, discNumber, discCount: Int?
        /// Identifiers with their schemes: `isrc:GBAYE0601498`.
        let identifiers: [String]?
    }

    private struct Head: Decodable {
        let format: String
        let version: Int
    }

    /// The name of the folder, as its owner's browser told it.
    let folder: String?
    let files: [File]

    /// Reads a plan.
    ///
    /// - Throws: `assetNotFound`, `requestInvalid` for another file and for another version.
    static func read(_ path: String) throws(EarshotError) -> LibraryPlanFile {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw EarshotError(.assetNotFound, "There is no plan at \(path): check the path.")
        }
        defer { try? handle.close() }
        let data = (try? handle.read(upToCount: sizeLimit + 1)) ?? Data()
        guard data.count <= sizeLimit else {
            throw EarshotError(.requestInvalid, "\(path) has more than \(sizeLimit >> 20) MiB: it is no plan.")
        }
        guard let head = try? JSONDecoder().decode(Head.self, from: data), head.format == format else {
            throw EarshotError(.requestInvalid, "\(path) is no plan: the page for albums of a service makes them.")
        }
        guard head.version == version else {
            throw EarshotError(
                .requestInvalid,
                "\(path) is a plan of version \(head.version), and version \(version) is read: update this program."
            )
        }
        do {
            return try JSONDecoder().decode(LibraryPlanFile.self, from: data)
        } catch {
            throw EarshotError(.requestInvalid, "\(path) is a damaged plan: make it anew.", cause: error)
        }
    }

    /// The changes to be written, as decisions that somebody has made.
    ///
    /// - Parameter root: The folder.
    func decisions(in root: URL) -> (decisions: [FileDecision], urls: [String: URL], failures: [FileFailure]) {
        var decisions: [FileDecision] = []
        var urls: [String: URL] = [:]
        var failures: [FileFailure] = []
        for file in files {
            do throws(EarshotError) {
                guard urls[file.file] == nil else {
                    throw EarshotError(.requestInvalid, "The plan names the file twice: make it anew.")
                }
                urls[file.file] = try Self.url(of: file, in: root)
                let match = Self.match(file)
                decisions.append(
                    FileDecision(file: file.file, match: match, confidence: 1, albumConfidence: 1, editionConfidence: 1)
                )
            } catch {
                failures.append(FileFailure(file: file.file, error))
            }
        }
        return (decisions, urls, failures)
    }

    /// The address of a file. A plan comes from elsewhere: it names nothing outside of the folder.
    private static func url(of file: File, in root: URL) throws(EarshotError) -> URL {
        // Bytes, and not characters: a slash with a mark over it is one character, and for the system still a slash.
        let names = file.file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isInside = names.allSatisfy { name in
            !name.isEmpty && !name.elementsEqual("..".utf8) && !name.elementsEqual(".".utf8) && !name.contains(0)
        }
        guard isInside else {
            throw EarshotError(.requestInvalid, "The plan names a file outside of the folder: it is left alone.")
        }
        let url = root.appendingPathComponent(file.file)
        let top = root.resolvingSymlinksInPath().path
        let real = url.resolvingSymlinksInPath()
        guard real.path.utf8.starts(with: (top.hasSuffix("/") ? top : top + "/").utf8) else {
            throw EarshotError(.requestInvalid, "A link leads out of the folder: the file is left alone.")
        }
        guard let found = try? FileManager.default.attributesOfItem(atPath: real.path) else {
            throw EarshotError(
                .assetNotFound,
                "There is no such file in the folder: name the folder that the plan is of."
            )
        }
        if let size = file.size, (found[.size] as? NSNumber)?.intValue != size {
            throw EarshotError(
                .metadataInvalid,
                "The file has another size than by the plan: it has changed since, or is another one."
            )
        }
        return url
    }

    private static func match(_ file: File) -> MusicMatch {
        func number(_ number: Int?) -> Int? { number.flatMap { (1...largestNumber).contains($0) ? $0 : nil } }
        var match = MusicMatch()
        (match.track.title, match.artist.name) = (file.title, file.artist)
        match.track.number = number(file.trackNumber) ?? -1
        match.track.discTrackCount = number(file.trackCount)
        match.track.discNumber = number(file.discNumber)
        match.track.identifiers = file.identifiers
        (match.album.title, match.album.artist) = (file.album, file.albumArtist)
        match.album.releaseYear = file.year
        match.album.discCount = number(file.discCount)
        return match
    }
}
