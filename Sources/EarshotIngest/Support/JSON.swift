import EarshotCore
import Foundation

/// JSON with sorted keys, so that equal results print equal text.
package enum JSON {
    package static func line(_ value: some Encodable) throws -> String {
        try text(value, isPretty: false)
    }

    package static func document(_ value: some Encodable) throws -> String {
        try text(value, isPretty: true)
    }

    private static func text(_ value: some Encodable, isPretty: Bool) throws -> String {
        let encoder = JSONEncoder.sorted(isPretty: isPretty, date: DateText.text(of:))
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity",
            negativeInfinity: "-infinity",
            nan: "unknown"
        )
        return try encoder.text(value)
    }
}
