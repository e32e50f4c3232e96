public import EarshotCore
public import Foundation

extension AssetReader {
    /// Opens a music file for recognition. A file with video is rejected.
    ///
    /// - Parameter url: A file, or an address that FFmpeg can open.
    /// - Throws: `codecUnsupported` for a file with video, and the errors of `init(_:options:)`.
    public static func recording(_ url: URL) async throws(EarshotError) -> AssetReader {
        let asset = try await Asset.load(url)
        guard !asset.hasVideo else {
            throw EarshotError(
                .codecUnsupported,
                "\(url.lastPathComponent) has moving pictures: take its sound out into a file of its own."
            )
        }
        return try await AssetReader(asset)
    }
}
