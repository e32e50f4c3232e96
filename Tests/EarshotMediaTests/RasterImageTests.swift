import EarshotCore
import EarshotMedia
import Foundation
import Testing

@Suite("Pictures")
struct RasterImageTests {
    private var picture: RasterImage {
        var pixels: [UInt8] = []
        for row in 0..<12 {
            for column in 0..<16 { pixels += [UInt8(row * 20), UInt8(column * 15), 128] }
        }
        return RasterImage(width: 16, height: 12, pixelFormat: .rgb8, bytes: pixels)
    }

    private func svg(_ png: [UInt8]) -> [UInt8] {
        let data = Data(png).base64EncodedString()
        return Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">
            <rect width="200" height="100" fill="#ffffff"/>
            <rect x="150" y="0" width="50" height="50" fill="#ff0000"/>
            <text x="10" y="30" font-size="20" fill="#000000">Earshot 夜の音</text>
            <image x="10" y="50" width="64" height="48" xlink:href="data:image/png;base64,\(data)"/>
            </svg>
            """.utf8
        )
    }

    @Test("A picture becomes a PNG file, with and without transparency")
    func png() throws {
        for image in [picture, RasterImage(width: 1, height: 1, pixelFormat: .rgba8, bytes: [1, 2, 3, 4])] {
            let png = try image.pngData()
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            // Width and height stand behind the length and name of the first chunk.
            #expect(png[16..<24] == [0, 0, 0, UInt8(image.width), 0, 0, 0, UInt8(image.height)][...])
            #expect(png[25] == (image.pixelFormat == .rgb8 ? 2 : 6))
        }
    }

    @Test("An SVG with text and an embedded picture is drawn", .enabled(if: RasterImage.canRenderSVG))
    func svg() throws {
        let image = try RasterImage.rendering(svg: svg(picture.pngData()), width: 400, height: 200)
        #expect(image.width == 400 && image.height == 200 && image.pixelFormat == .rgba8)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(image.bytes[(y * 400 + x) * 4..<(y * 400 + x) * 4 + 4]) }
        #expect(pixel(350, 50) == [255, 0, 0, 255])
        #expect(pixel(395, 195) == [255, 255, 255, 255])
        // Some ink where the text is, and the blue of the embedded picture in its place.
        let ink = (20..<200).contains { x in (20..<70).contains { pixel(x, $0)[0] < 100 } }
        #expect(ink)
        #expect((100...150).contains(pixel(80, 150)[2]))
        #expect(pixel(80, 150)[0] != 255)
        #expect(try !image.pngData().isEmpty)
    }

    @Test("Half transparent colors keep their value", .enabled(if: RasterImage.canRenderSVG))
    func transparency() throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">
            <rect width="10" height="10" fill="#c86400" fill-opacity="0.5"/></svg>
            """
        let image = try RasterImage.rendering(svg: Array(text.utf8), width: 10, height: 10)
        let expected = [200, 100, 0, 128]
        for (byte, value) in zip(image.bytes, expected) { #expect(abs(Int(byte) - value) <= 2) }
    }

    @Test("What is no SVG is an error", .enabled(if: RasterImage.canRenderSVG))
    func noSVG() {
        for bytes in [[], Array("hello".utf8)] {
            #expect(throws: EarshotError.self) { _ = try RasterImage.rendering(svg: bytes, width: 10, height: 10) }
        }
        #expect(throws: EarshotError.self) {
            _ = try RasterImage.rendering(svg: svg([]), width: 0, height: 10)
        }
    }
}
