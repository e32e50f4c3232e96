import EarshotAPI
import ArgumentParser
import Foundation

/// How results are printed.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @Flag(name: .long, help: "Print one JSON object a line.")
    var jsonl = false

    func validate() throws {
        if json, jsonl { throw ValidationError("Choose --json or --jsonl, not both.") }
    }
}

/// JSON with sorted keys, so that equal results print equal text.
enum JSON {
    static func line(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    static func document(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ServiceAPI.text(of: date))
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity",
            negativeInfinity: "-infinity",
            nan: "unknown"
        )
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
