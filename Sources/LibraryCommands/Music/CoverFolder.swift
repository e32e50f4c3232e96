import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import Foundation

/// The pictures that lie beside the audio files of a folder, read once: a cover, wanted where a file has none of its own, and
/// a back.
final class CoverFolder {
    let path: String
    /// The state of the pictures' files; nothing where there are none.
    let stamp: String?
    /// Says that somebody was told that the cover cannot be used.
    var wasTold = false
    /// Says that somebody was told that the back cannot be used.
    var wasToldOfBack = false
    private let url: URL?
    private let backURL: URL?

    /// Looks for `cover`, `folder` or `front`, in this order, and for `back`, as `.jpg`, `.jpeg`, `.png`, `.webp`, `.gif` or
    /// `.bmp`.
    init(_ path: String) {
        self.path = path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
        func first(_ wanted: [String]) -> URL? {
            let found = wanted.lazy.compactMap { name in
                names.first { file in
                    let parts = file.lowercased().split(separator: ".")
                    return parts.count == 2 && parts[0] == name && Self.suffixes.contains(String(parts[1]))
                }
            }.first
            return found.map { URL(fileURLWithPath: path).appendingPathComponent($0) }
        }
        url = first(["cover", "folder", "front"])
        backURL = first(["back"])
        let stamps = [url, backURL].compactMap(\.self).compactMap { url in
            ChangeStamp.stamp(of: url).map { "\(url.lastPathComponent) \($0)" }
        }
        stamp = stamps.isEmpty ? nil : stamps.joined(separator: " ")
    }

    private static let suffixes: Set = ["jpg", "jpeg", "png", "webp", "gif", "bmp"]

    /// The cover with its bytes, or what is wrong with it; nothing where there is none.
    lazy var cover: Result<(Picture, Data), EarshotError>? = url.map { Self.picture(at: $0, .cover) }
    /// The back with its bytes, or what is wrong with it; nothing where there is none.
    lazy var back: Result<(Picture, Data), EarshotError>? = backURL.map { Self.picture(at: $0, .back) }

    private static func picture(at url: URL, _ kind: Picture.Kind) -> Result<(Picture, Data), EarshotError> {
        guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
            return .failure(
                EarshotError(.assetUnreadable, "\(url.path) cannot be read: check that you may read it.")
            )
        }
        return picture(bytes, kind, named: url.path)
    }

    /// A picture of some bytes, with the type and the size that they have.
    static func picture(
        _ bytes: Data,
        _ kind: Picture.Kind = .cover,
        named name: String
    ) -> Result<(Picture, Data), EarshotError> {
        let limit = 32_000_000
        guard bytes.count <= limit else {
            let message =
                "The picture of \(name) has \(bytes.count) bytes, and \(limit) are allowed: use a smaller one."
            return .failure(EarshotError(.metadataInvalid, message))
        }
        do throws(EarshotError) {
            let header = try PictureHeader(of: Array(bytes))
            let id = TrackDescription.pictureID(of: bytes)
            let picture = Picture(
                // What is the back of one album may be the cover of another.
                id: kind == .back ? EntityID("back-\(id)") : id,
                kind: kind,
                mimeType: header.mimeType,
                width: header.width,
                height: header.height
            )
            return .success((picture, bytes))
        } catch {
            return .failure(EarshotError(error.code, "\(name): \(error.message)"))
        }
    }
}

/// Tells a changed file from an unchanged one by its size and date.
enum ChangeStamp {
    /// Nothing when the file is not there.
    static func stamp(of url: URL) -> String? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
            let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
        else { return nil }
        return "\(size)-\(Int64((date.timeIntervalSince1970 * 1_000).rounded()))"
    }
}
