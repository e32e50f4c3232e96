import CommandKit
import EarshotCore
import EarshotIngest
import EarshotMusic
import Foundation

/// Brings pictures of a local archive into a store, each to the release whose MBID its name has.
///
/// Such an archive is what somebody has fetched from the Cover Art Archive, or keeps by the same ids.
struct CoverArchive {
    /// The outcome of an import.
    struct Summary: Encodable {
        let folder: String
        /// Files of pictures there are, without reduced ones.
        var files = 0
        /// Covers and backs that were kept.
        var kept = 0
        /// Pictures of releases that the database does not have, and of other parts than cover and back.
        var others = 0
        /// Files that were passed over.
        var rejected = 0
    }

    /// The names of pictures.
    static let suffixes: Set = ["jpg", "jpeg", "png", "webp", "gif", "bmp"]

    let store: any MusicStore
    /// Told of each file that is passed over.
    let rejected: (EarshotError, _ file: String) -> Void

    /// - Throws: What the store throws.
    func run(_ files: MusicFiles, of folder: String, _ bar: ProgressBar) async throws -> Summary {
        var summary = Summary(folder: folder)
        var listings: [String: CoverListing] = [:]
        for url in files.files.map(\.url) {
            defer { bar.step(audioSeconds: 0) }
            let home = url.deletingLastPathComponent().path
            let listing = listings[home] ?? CoverListing(folder: home)
            listings = [home: listing]
            guard let name = CoverName(url) else { continue }
            summary.files += 1
            guard let release = name.release else {
                summary.rejected += 1
                let message = "Nothing says of which release this is: put its MBID into the name of the file."
                rejected(EarshotError(.metadataInvalid, message), url.path)
                continue
            }
            guard let kind = name.kind ?? name.number.flatMap({ listing.kinds[$0] }),
                let album = try await album(release)
            else {
                summary.others += 1
                continue
            }
            switch picture(at: url, kind) {
            case .success(let (picture, bytes)):
                try await keep(picture, bytes, with: album)
                summary.kept += 1
            case .failure(let error):
                summary.rejected += 1
                rejected(error, url.path)
            }
        }
        return summary
    }

    private func album(_ release: String) async throws -> Album? {
        if let album = try await store.album(EntityID(release)) { return album }
        guard let identifier = MusicIdentifier(.musicBrainzRelease, release) else { return nil }
        return try await store.albums(with: identifier).first
    }

    private func picture(at url: URL, _ kind: Picture.Kind) -> Result<(Picture, Data), EarshotError> {
        guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
            return .failure(EarshotError(.assetUnreadable, "\(url.path) cannot be read: check that you may read it."))
        }
        return CoverFolder.picture(bytes, kind, named: url.path)
    }

    private func keep(_ picture: Picture, _ bytes: Data, with album: Album) async throws {
        var album = album
        let others = album.pictures.filter { $0 != picture.id }
        album.pictures = picture.kind == .back ? others + [picture.id] : [picture.id] + others
        try await store.apply([.picture(picture, bytes), .album(album)])
    }
}

/// The parts of a picture's path that say of which release it is, and of which part of that.
struct CoverName {
    /// The MBID of the release, in lower case; `nil` if neither the file nor its folder names one.
    let release: String?
    /// Cover or back; `nil` if the name does not say so.
    let kind: Picture.Kind?
    /// The number of the picture at the Cover Art Archive.
    let number: String?

    /// `nil` for a reduced picture, as the Cover Art Archive has them beside each: `…_thumb250.jpg`.
    init?(_ url: URL) {
        let name = url.deletingPathExtension().lastPathComponent.lowercased()
        guard !name.contains("_thumb") else { return nil }
        let own = Self.identifier(in: name)
        let folder = url.deletingLastPathComponent().lastPathComponent.lowercased()
        release = own ?? Self.identifier(in: folder)
        var rest = own.map { name.replacing($0, with: " ") } ?? name
        rest.replace("mbid", with: " ")
        let words = rest.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        number = words.last.flatMap { $0.allSatisfy(\.isNumber) ? $0 : nil }
        switch words.first ?? "cover" {
        case "cover", "folder", "front": kind = .cover
        case "back": kind = .back
        default: kind = nil
        }
    }

    /// The first UUID in a name.
    private static func identifier(in name: String) -> String? {
        let characters = Array(name)
        guard characters.count >= 36 else { return nil }
        return (0...characters.count - 36).lazy.map { String(characters[$0..<$0 + 36]) }
            .first { $0.count { $0 == "-" } == 4 && UUID(uuidString: $0) != nil }
    }
}

/// The file `index.json` that the Cover Art Archive has of each release.
struct CoverListing {
    private struct Document: Decodable {
        struct Image: Decodable {
            var id: Number
            var front: Bool?
            var back: Bool?
        }
        /// A number, which older files have as text.
        struct Number: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int64.self) {
                    text = String(number)
                } else {
                    text = try container.decode(String.self)
                }
            }
        }
        var images: [Image]
    }

    /// Cover or back, by the number of the picture; pictures of other parts are not in it.
    let kinds: [String: Picture.Kind]

    /// The listing of a folder; empty if there is none that can be read.
    init(folder: String) {
        let url = URL(fileURLWithPath: folder).appendingPathComponent("index.json")
        let document = (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(Document.self, from: $0) }
        var kinds: [String: Picture.Kind] = [:]
        for image in document?.images ?? [] {
            if image.front == true {
                kinds[image.id.text] = .cover
            } else if image.back == true {
                kinds[image.id.text] = .back
            }
        }
        self.kinds = kinds
    }
}
