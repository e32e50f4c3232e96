import EarshotCore
import EarshotMedia
import Foundation

/// The fixture files, and helpers to read them.
enum Fixtures {
    /// Files whose audio can be read; what each has is in `Fixtures/README.md`.
    static let readable = [
        "aiff.aiff", "alac.caf", "alac.m4a", "bursts.mkv", "bursts.ogg", "chirp.aac", "chirp.flac", "chirp.opus",
        "faststart.m4a",
        "gsm.wav", "half1.mp3",
        "half2.mp3", "late.mkv", "late.mp4", "long.flac", "long.ogg", "loud.wav", "multi.mkv", "surround.wav",
        "tagged.m4a", "tagged.mp3", "tagged.ogg", "wav16.wav", "wav24.wav", "wavfloat.wav",
    ]

    static func url(_ name: String) -> URL {
        Bundle.module.resourceURL!.appendingPathComponent("Fixtures").appendingPathComponent(name)
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: url(name)))
    }
}
