public import EarshotCore
import EarshotMedia
public import EarshotRecognition
public import Foundation

/// Scales pictures with the image decoders of FFmpeg, and draws placeholder art for genres.
public struct FFmpegPictureMaker: PictureMaker {
    /// Creates a picture maker, which needs no configuration.
    public init() {}

    /// Returns a picture scaled and centered in a transparent square, as PNG.
    public func picture(_ bytes: Data, fitting size: ImageSize) async throws(EarshotError) -> Data {
        Data(try await PictureFitting(side: size.side).png(of: [UInt8](bytes)))
    }

    /// Returns a picture scaled in its own proportions, without margins, as PNG; `longerSide` is in pixels.
    public func picture(_ bytes: Data, longerSide: Int) async throws(EarshotError) -> Data {
        Data(try await PictureFitting(side: longerSide, hasMargins: false).png(of: [UInt8](bytes)))
    }

    /// Returns placeholder art for a genre as PNG. The same genre always gives the same picture.
    public func genreArt(_ genre: String, _ size: ImageSize) async throws(EarshotError) -> Data {
        let art = GenreArt(genre)
        let result: Result<[UInt8], EarshotError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(
                    returning: Result { () throws(EarshotError) in try art.image(side: size.side).pngData() }
                )
            }
        }
        return Data(try result.get())
    }
}
