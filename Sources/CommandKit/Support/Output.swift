import ArgumentParser
import EarshotCore
import Foundation

/// How results are printed.
package struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON object.")
    package var json = false

    @Flag(name: .long, help: "Print one JSON object a line.")
    package var jsonl = false

    package init() {}

    package func validate() throws {
        if json, jsonl { throw ValidationError("Choose --json or --jsonl, not both.") }
    }
}

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
