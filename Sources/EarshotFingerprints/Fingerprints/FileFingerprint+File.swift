import Dispatch
public import EarshotCore
import EarshotMedia
public import Foundation

extension FileFingerprint {
    /// Computes the fingerprint of a file, the same as the tool `fpcalc` does.
    ///
    /// Damaged parts of a file are left out.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - algorithm: The algorithm that computes sub-fingerprints.
    ///   - limit: The duration of audio to use, from the beginning; `nil` for all.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `assetProtected`, `noAudioStream`,
    ///   `codecUnsupported`, `audioFormatInvalid`, or `signatureInvalid` for less than about three seconds of audio.
    public init(
        contentsOf url: URL,
        algorithm: Algorithm = .standard,
        limit: MediaTime? = FileFingerprintGenerator.standardLimit
    ) async throws(EarshotError) {
        // Decoding blocks, and Swift's few shared threads must not.
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                let result: Result<FileFingerprint, EarshotError> = Result { () throws(EarshotError) in
                    try Self.read(url, algorithm: algorithm, limit: limit)
                }
                continuation.resume(returning: result)
            }
        }
        self = try result.get()
    }

    private static func read(
        _ url: URL,
        algorithm: Algorithm,
        limit: MediaTime?
    ) throws(EarshotError) -> FileFingerprint {
        let decoder = try AudioDecoder(url, asDecoded: true)
        let generator = try FileFingerprintGenerator(algorithm: algorithm, limit: limit)
        let stated = decoder.statedDuration ?? decoder.assetDuration
        do throws(EarshotError) {
            // Without a stated duration, it is found at the end.
            while !(generator.isComplete && stated.isNumeric), let block = try decoder.next() {
                try generator.append(block.buffer)
            }
        } catch {
            guard error.code == .readFailed, generator.duration > .zero else { throw error }
        }
        return try generator.finish(duration: stated.isNumeric ? stated : nil)
    }
}
