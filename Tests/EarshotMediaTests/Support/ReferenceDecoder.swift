import Foundation
import TestSupport

/// The ffmpeg command, where it is installed: it trims, orders and converts by its own code.
enum ReferenceDecoder {
    private static let command = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isHere: Bool { command != nil }

    /// Interleaved samples of the whole file.
    static func decode(_ url: URL) throws -> [Float] {
        let data = try run(url, "f32le")
        return data.withUnsafeBytes { bytes in
            (0..<data.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// The same as integers.
    static func int16(_ url: URL) throws -> [Int16] {
        let data = try run(url, "s16le")
        return data.withUnsafeBytes { bytes in
            (0..<data.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self).littleEndian }
        }
    }

    private static func run(_ url: URL, _ form: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command ?? "")
        process.arguments = [
            "-nostdin", "-v", "error", "-i", url.path, "-map", "0:a:0", "-f", form, "-c:a", "pcm_\(form)", "-",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try ProcessLaunch.run(process)
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return data
    }
}
