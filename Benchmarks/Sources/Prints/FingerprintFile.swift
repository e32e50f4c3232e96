import BenchmarkSupport
import EarshotCore
import EarshotFingerprints
import Foundation

/// What `earshot-fpcalc` wrote of many files.
enum FingerprintFile {
    static func read(_ path: String) throws -> [FileFingerprint] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("There is no readable file at \(path): check the path.")
        }
        var seconds: Int64 = 0
        var fingerprints: [FileFingerprint] = []
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0] == "DURATION" { seconds = Int64(parts[1]) ?? 0 }
            guard parts[0] == "FINGERPRINT" else { continue }
            fingerprints.append(try FileFingerprint(text: parts[1], duration: MediaTime(value: seconds, timescale: 1)))
        }
        guard !fingerprints.isEmpty else { throw Failure("\(path) has no line FINGERPRINT=: give what fpcalc wrote.") }
        return fingerprints
    }
}
