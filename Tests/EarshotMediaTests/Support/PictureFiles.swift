import EarshotMedia
import Foundation
import TestSupport

/// Pictures made by code, and the same as files of every type, which the ffmpeg command writes.
enum PictureFiles {
    private static let command = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static let types = ["jpg", "png", "webp", "gif", "bmp"]
    static var canMake: Bool { command != nil }

    /// A picture of one pixel after the other.
    static func image(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> RasterImage {
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { bytes += pixel(x, y) } }
        return RasterImage(width: width, height: height, pixelFormat: .rgba8, bytes: bytes)
    }

    /// A picture as a file of a type; nothing where this ffmpeg cannot write it.
    static func file(_ image: RasterImage, _ type: String) throws -> [UInt8]? {
        let folder = try TemporaryFolder()
        let input = try folder.write(image.bytes, as: "in.rgba")
        let output = folder.url.appendingPathComponent("out.\(type)")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command ?? "")
        process.arguments = [
            "-nostdin", "-v", "quiet", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(image.width)x\(image.height)",
            "-i",
            input.path, "-frames:v", "1", "-q:v", "2", output.path,
        ]
        try ProcessLaunch.run(process)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let data = try? Data(contentsOf: output), !data.isEmpty else {
            return nil
        }
        return Array(data)
    }
}

extension RasterImage {
    func pixel(_ x: Int, _ y: Int) -> [Int] { bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4].map(Int.init) }
}
