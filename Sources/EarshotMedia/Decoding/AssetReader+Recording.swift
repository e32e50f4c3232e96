public import EarshotCore
public import Foundation

extension AssetReader {
    /// Opens a file of music, as a recognition client takes them: one with moving pictures is refused.
    ///
    /// - Parameter url: A file, or an address that FFmpeg can open.
    /// - Throws: `codecUnsupported` for a file with moving pictures, and what `init(_:options:)` throws.
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
