import EarshotCore
import EarshotFingerprints
import Foundation

/// One fingerprint as it is written.
struct ResultText {
    private let values: [UInt32]
    private let compressed: String
    /// In seconds.
    private let start: Double
    private let duration: Double
    private let isFirst: Bool

    init(
        _ chunk: FingerprintStream.Chunk,
        start: Double,
        duration: Double,
        algorithm: FileFingerprint.Algorithm
    ) throws(EarshotError) {
        values = chunk.values
        compressed = try FileFingerprint(chunk.values, algorithm: algorithm, duration: chunk.duration).text
        self.start = start
        self.duration = duration
        isFirst = chunk.isFirst
    }

    func text(_ options: CommandOptions) -> String {
        let fingerprint = options.isRaw ? numbers(isSigned: options.isSigned) : compressed
        switch options.format {
        case .plain: return fingerprint + "\n"
        case .text:
            var text = isFirst ? "" : "\n"
            if options.showsTimestamps { text += "TIMESTAMP=\(Self.decimal(start))\n" }
            return text + "DURATION=\(Int(duration))\nFINGERPRINT=\(fingerprint)\n"
        case .json:
            let place = options.plan.chunk == 0 ? "" : "\"timestamp\": \(Self.decimal(start)), "
            let value = options.isRaw ? "[\(fingerprint)]" : "\"\(fingerprint)\""
            return "{\(place)\"duration\": \(Self.decimal(duration)), \"fingerprint\": \(value)}\n"
        }
    }

    private func numbers(isSigned: Bool) -> String {
        values.map { isSigned ? String(Int32(bitPattern: $0)) : String($0) }.joined(separator: ",")
    }

    private static func decimal(_ seconds: Double) -> String { String(format: "%.2f", seconds) }
}
