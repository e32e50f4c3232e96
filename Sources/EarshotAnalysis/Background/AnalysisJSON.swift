import EarshotCore
import Foundation

/// Results as JSON.
enum AnalysisJSON {
    static func bytes(_ value: some Encodable) throws(EarshotError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw EarshotError(
                .internalError,
                "An analysis result cannot be written as JSON: please report this.",
                cause: error
            )
        }
    }
}
