public import EarshotCore
import EarshotMedia
public import EarshotRecognition
public import Foundation

/// Makes pictures of the sizes asked for with the image decoders of FFmpeg, and draws the art of genres itself.
public struct FFmpegPictureMaker: PictureMaker {
    /// Creates a picture maker, which needs no configuration.
    public init() {}

    /// A picture that fits a square, as PNG: centered, transparent where the picture is not.
    public func picture(_ bytes: Data, fitting size: ImageSize) async throws(EarshotError) -> Data {
        Data(try await PictureFitting(side: size.side).png(of: [UInt8](bytes)))
    }

    /// A picture in its own shape, without margins, as PNG.
    public func picture(_ bytes: Data, longerSide: Int) async throws(EarshotError) -> Data {
        Data(try await PictureFitting(side: longerSide, hasMargins: false).png(of: [UInt8](bytes)))
    }

    /// Genre art as PNG: always the same for a genre; genres differ in colors and wave.
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
