import EarshotMusic

/// The pictures of a release, in the form of the Cover Art Archive.
struct CoverArtListing: Encodable {
    struct Image: Encodable {
        let id: String
        let types: [String]
        let front: Bool
        let back: Bool
        /// The number of an edit at MusicBrainz. Always 0, because there are no edits here.
        let edit = 0
        let image: String
        /// The author and the license.
        let comment: String
        let approved = true
        /// The addresses of smaller pictures, by size.
        let thumbnails: [String: String]
    }

    /// The address of the release at MusicBrainz.
    let release: String
    let images: [Image]

    /// - Parameters:
    ///   - release: The pictures of the release.
    ///   - base: The address of the service.
    init(_ release: CoverArtRelease, base: String) {
        self.release = "https://musicbrainz.org/release/\(release.id)"
        images = release.entries.map { entry in
            let place = "\(base)/release/\(release.id)/\(entry.number)"
            let suffix = Self.suffix(entry.picture.mimeType)
            var thumbnails: [String: String] = [:]
            for side in CoverArtName.sides {
                // A picture that is larger is scaled down, which makes it a PNG.
                let isMade = max(entry.picture.width, entry.picture.height) > side
                thumbnails[String(side)] = "\(place)-\(side).\(isMade ? "png" : suffix)"
            }
            thumbnails["small"] = thumbnails["250"]
            thumbnails["large"] = thumbnails["500"]
            let isBack = entry.picture.kind == .back
            return Image(
                id: String(entry.number),
                types: [isBack ? "Back" : "Front"],
                front: entry.number == release.front?.number,
                back: entry.number == release.back?.number,
                image: "\(place).\(suffix)",
                comment: entry.picture.attribution ?? "",
                thumbnails: thumbnails
            )
        }
    }

    private static func suffix(_ mimeType: String) -> String {
        switch mimeType {
        case "image/png": "png"
        case "image/gif": "gif"
        case "image/webp": "webp"
        case "image/bmp": "bmp"
        default: "jpg"
        }
    }
}
