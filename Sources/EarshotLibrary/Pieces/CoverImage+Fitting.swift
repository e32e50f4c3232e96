public import EarshotCore
import EarshotMedia
public import EarshotPieces
public import Foundation

extension CoverImage {
    /// A cover of any picture: its middle, as large a square as there is, scaled to the size of a cover.
    ///
    /// A PNG or JPEG file of that size is unchanged; others become PNG. At most four pictures are decoded at once in a
    /// process; others wait.
    ///
    /// - Parameter picture: A JPEG, PNG, WebP, GIF or BMP file, of at most 32 MB, 64 million pixels and 65,535 on a side. Of moving
    ///   pictures the first is taken.
    /// - Throws: `assetUnreadable` if the data is not a picture, is damaged or is too large; `codecUnsupported` if the
    ///   installed FFmpeg has no decoder for it; `cancelled`.
    public static func fitting(_ picture: Data) async throws(EarshotError) -> CoverImage {
        if let cover = try? CoverImage(picture) { return cover }
        return try CoverImage(Data(try await PictureFilling(side: side).png(of: [UInt8](picture))))
    }
}
