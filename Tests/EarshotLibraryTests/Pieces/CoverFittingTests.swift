import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Covers of any picture")
struct CoverFittingTests {
    private func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> Data {
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { bytes += color(x, y) } }
        return Data(try RasterImage(width: width, height: height, pixelFormat: .rgb8, bytes: bytes).pngData())
    }

    @Test("A picture of 1000 x 500 becomes 640 x 640", .requirements("R-PC-064"))
    func wide() async throws {
        // Red on both sides of a blue square, which is all that is left.
        let wide = try picture(1_000, 500) { x, _ in (250..<750).contains(x) ? [0, 0, 255] : [255, 0, 0] }
        let cover = try await CoverImage.fitting(wide)
        #expect(cover.format == .png)
        let header = try PictureHeader(of: [UInt8](cover.bytes))
        #expect((header.width, header.height) == (640, 640))
        let pixels = try PictureFitting(side: 64).image(of: [UInt8](cover.bytes)).bytes
        #expect(stride(from: 0, to: pixels.count, by: 4).allSatisfy { pixels[$0] < 8 && pixels[$0 + 2] > 247 })
    }

    @Test("Pictures of any size become covers, and covers stay as they are", .requirements("R-PC-064"))
    func others() async throws {
        for (width, height) in [(1, 1), (3, 700), (639, 640), (640, 639), (1_300, 1_300), (700, 2)] {
            let cover = try await CoverImage.fitting(
                try picture(width, height) { x, y in [UInt8(x & 255), UInt8(y & 255), 9] }
            )
            let header = try PictureHeader(of: [UInt8](cover.bytes))
            #expect((header.width, header.height) == (640, 640))
        }
        let whole = try picture(640, 640) { x, y in [UInt8(x & 255), UInt8(y & 255), 9] }
        #expect(try await CoverImage.fitting(whole).bytes == whole)
    }

    @Test("What is no picture is refused", .requirements("R-PC-064"))
    func refused() async throws {
        let whole = try picture(640, 600) { x, y in [UInt8(x & 255), UInt8(y & 255), 9] }
        for data in [Data(), Data("text".utf8), whole.prefix(100)] {
            let error = await #expect(throws: EarshotError.self) { try await CoverImage.fitting(data) }
            #expect(error?.code == .assetUnreadable)
        }
    }
}
