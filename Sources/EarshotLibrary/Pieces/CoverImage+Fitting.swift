public import EarshotCore
import EarshotMedia
public import EarshotPieces
public import Foundation

extension CoverImage {
    /// A cover of any picture: its middle, as large a square as there is, scaled to the size of a cover.
    ///
    /// A PNG or JPEG file that has that size already stays as it is; others become PNG. At most four pictures are decoded at once in
    /// a process; others wait.
    ///
    /// - Parameter picture: A JPEG, PNG, WebP, GIF or BMP file, of at most 32 MB, 64 million pixels and 65,535 on a side. Of moving
    ///   pictures the first is taken.
    /// - Throws: `assetUnreadable` for what is no picture, is damaged or is too large; `codecUnsupported` when the FFmpeg here lacks
    ///   the decoder; `cancelled`.
    public static func fitting(_ picture: Data) async throws(EarshotError) -> CoverImage {
        if let cover = try? CoverImage(picture) { return cover }
        return try CoverImage(Data(try await PictureFilling(side: side).png(of: [UInt8](picture))))
    }
}
