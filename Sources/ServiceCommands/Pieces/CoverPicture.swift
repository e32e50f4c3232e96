import CommandKit
import EarshotCore
import EarshotLibrary
import EarshotPieces
import Foundation

/// Covers of pictures in files, of any size.
enum CoverPicture {
    /// The most bytes of a picture that is read.
    private static let limit = 100_000_000

    /// The middle of a picture as a cover.
    ///
    /// - Throws: `assetUnreadable`, and what reading a picture throws.
    static func cover(_ url: URL) async throws -> CoverImage {
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int ?? 0
        guard size <= limit else {
            throw EarshotError(
                .assetUnreadable,
                "\(url.path) has \(DisplayText.bytes(size)), which is too large for a cover: choose a smaller picture."
            )
        }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw EarshotError(.assetUnreadable, "The picture \(url.path) cannot be read: check its name.")
        }
        // One that is a cover already stays as it is.
        if let cover = try? CoverImage(data) { return cover }
        return try await CoverImage.fitting(data)
    }
}
