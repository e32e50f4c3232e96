import EarshotCore
import EarshotMedia
import EarshotMetadata
import Foundation

/// The picture that lies beside the audio files of a folder, read once and only where a file has none of its own.
final class CoverFolder {
    let path: String
    /// The state of the picture's file; nothing where there is none.
    let stamp: String?
    /// Whether somebody was told that the picture cannot be used.
    var wasTold = false
    private let url: URL?

    /// Looks for `cover`, `folder` or `front`, in this order, as `.jpg`, `.jpeg`, `.png`, `.webp`, `.gif` or `.bmp`.
    init(_ path: String) {
        self.path = path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
        let found = ["cover", "folder", "front"].lazy.compactMap { name in
            names.first { file in
                let parts = file.lowercased().split(separator: ".")
                return parts.count == 2 && parts[0] == name && Self.suffixes.contains(String(parts[1]))
            }
        }.first
        url = found.map { URL(fileURLWithPath: path).appendingPathComponent($0) }
        stamp = url.flatMap { url in FileStamp.stamp(of: url).map { "\(url.lastPathComponent) \($0)" } }
    }

    private static let suffixes: Set = ["jpg", "jpeg", "png", "webp", "gif", "bmp"]

    /// The picture with its bytes, or what is wrong with it; nothing where there is none.
    lazy var cover: Result<(Picture, Data), EarshotError>? = url.map { url in
        guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
            return .failure(
                EarshotError(.assetUnreadable, "\(url.path) cannot be read: check that you may read it.")
            )
        }
        return Self.picture(bytes, named: url.path)
    }

    /// A cover of some bytes, with the type and the size that they have.
    static func picture(_ bytes: Data, named name: String) -> Result<(Picture, Data), EarshotError> {
        let limit = 32_000_000
        guard bytes.count <= limit else {
            let message =
                "The picture of \(name) has \(bytes.count) bytes, and \(limit) are allowed: use a smaller one."
            return .failure(EarshotError(.metadataInvalid, message))
        }
        do throws(EarshotError) {
            let header = try PictureHeader(of: Array(bytes))
            let picture = Picture(
                id: TrackDescription.pictureID(of: bytes),
                kind: .cover,
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
enum FileStamp {
    /// Nothing when the file is not there.
    static func stamp(of url: URL) -> String? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
            let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
        else { return nil }
        return "\(size)-\(Int64((date.timeIntervalSince1970 * 1_000).rounded()))"
    }
}
