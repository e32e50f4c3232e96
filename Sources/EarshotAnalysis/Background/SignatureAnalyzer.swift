package import EarshotCore
package import EarshotSignatures
import Foundation

/// Creates the ``Signature`` of a file, for recognition and for finding duplicates.
package struct SignatureAnalyzer: AudioAnalyzer {
    /// `signature`.
    package let name = "signature"
    /// The version of its results.
    package let version = 1

    /// Creates the analyzer.
    public init() {}

    /// Begins the analysis of a file.
    package func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
        Analysis()
    }

    /// Returns the signature in a record; `nil` for a record of another analyzer or of a failure.
    ///
    /// - Throws: `signatureInvalid` if the signature is damaged.
    package static func signature(in record: AnalysisRecord) throws(EarshotError) -> Signature? {
        guard record.analyzer == "signature", case .result(let bytes) = record.outcome else { return nil }
        guard let result = try? JSONDecoder().decode(Result.self, from: Data(bytes)) else {
            throw EarshotError(.signatureInvalid, "The signature of \(record.item) is damaged: analyze it again.")
        }
        return try Signature(data: result.signature)
    }

    private struct Result: Codable {
        let landmarks: Int
        let seconds: Double
        /// The bytes of the `.earsig` format.
        let signature: Data
    }

    private struct Analysis: AudioAnalysis {
        private var generator = SignatureGenerator(gaps: .fillWithSilence)
        private var failure: EarshotError?

        mutating func append(_ block: AudioBlock) {
            guard failure == nil else { return }
            do throws(EarshotError) {
                try generator.append(block.buffer, at: block.time)
            } catch {
                failure = error
            }
        }

        mutating func finish() throws(EarshotError) -> [UInt8] {
            if let failure { throw failure }
            let signature = generator.signature()
            return try AnalysisJSON.bytes(
                Result(
                    landmarks: signature.landmarks.count,
                    seconds: signature.duration.seconds,
                    signature: signature.data
                )
            )
        }
    }
}
