import EarshotCore
package import EarshotFingerprints

extension RandomNumberGenerator {
    /// A fingerprint somewhat like those of music: neighbours differ by a few bits, and some are repeated.
    package mutating func fingerprint(count: Int, seconds: Int = 200) throws -> FileFingerprint {
        var value = UInt32.random(in: 0 ... .max, using: &self)
        let values = (0..<count).map { _ in
            for _ in 0..<Int.random(in: 0...7, using: &self) { value ^= 1 << UInt32.random(in: 0..<32, using: &self) }
            return value
        }
        return try FileFingerprint(values, duration: MediaTime(value: Int64(seconds), timescale: 1))
    }

    /// A fingerprint with so many bits changed in every sub-fingerprint on average.
    package mutating func damaged(_ fingerprint: FileFingerprint, bits: Double, offset: Int = 0) throws
        -> FileFingerprint
    {
        let kept = offset >= 0 ? Array(fingerprint.values.dropFirst(offset)) : fingerprint.values
        let lead = try offset < 0 ? self.fingerprint(count: -offset).values : []
        let values = (lead + kept).map { value in
            (0..<32).reduce(value) { $0 ^ (Double.random(in: 0..<32, using: &self) < bits ? 1 << UInt32($1) : 0) }
        }
        return try FileFingerprint(values, duration: fingerprint.duration)
    }
}
