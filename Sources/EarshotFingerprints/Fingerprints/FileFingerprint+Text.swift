import CChromaprint
public import EarshotCore

extension FileFingerprint {
    /// The fingerprint in its compressed form, as in services and tags: URL-safe base64 without padding.
    public var text: String {
        var (encoded, count): (UnsafeMutablePointer<CChar>?, Int32) = (nil, 0)
        let result: Int32 = values.withUnsafeBufferPointer {
            chromaprint_encode_fingerprint(
                $0.baseAddress,
                Int32($0.count),
                Int32(algorithm.rawValue),
                &encoded,
                &count,
                1
            )
        }
        defer { chromaprint_dealloc(encoded) }
        // It fails for want of memory only.
        guard result == 1, let encoded, count > 0 else { return "" }
        let bytes = UnsafeRawBufferPointer(start: encoded, count: Int(count))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a fingerprint from its compressed form.
    ///
    /// The text may be untrusted. It is passed to Chromaprint's decoder only in the exact form that an encoder writes:
    /// all characters of the alphabet, at most `maximumCount` sub-fingerprints, as many as it announces, none of more
    /// than 32 bits, and nothing after them. So a short text cannot request much memory.
    ///
    /// - Parameters:
    ///   - text: URL-safe base64; padding, which some programs add, is ignored.
    ///   - duration: The duration of the whole file, which the text does not contain.
    /// - Throws: `signatureInvalid` if it is malformed or incomplete, or has an unknown algorithm.
    public init(text: some StringProtocol, duration: MediaTime) throws(EarshotError) {
        var characters = Array(text.utf8)
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        try FingerprintTextCheck(characters).run()
        var (decoded, count, algorithm): (UnsafeMutablePointer<UInt32>?, Int32, Int32) = (nil, 0, 0)
        let result: Int32 = characters.withUnsafeBytes {
            chromaprint_decode_fingerprint(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32($0.count),
                &decoded,
                &count,
                &algorithm,
                1
            )
        }
        defer { chromaprint_dealloc(decoded) }
        guard result == 1, let decoded, count > 0, let known = Algorithm(rawValue: Int(algorithm)) else {
            throw FingerprintTextCheck.unreadable("Chromaprint cannot read it")
        }
        let values = Array(UnsafeBufferPointer(start: decoded, count: Int(count)))
        try self.init(values, algorithm: known, duration: duration)
    }
}
