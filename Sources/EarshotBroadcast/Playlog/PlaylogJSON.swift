public import EarshotCore
public import Foundation

/// Plays, gaps, changes and reports as JSON. Dates are ISO 8601 in UTC with milliseconds. Unknown values are omitted.
public enum PlaylogJSON {
    /// Encodes a value as JSON with sorted members, on one line unless `isPretty` is `true`.
    ///
    /// - Throws: `metadataInvalid` for a number that is not finite; a checked record has none.
    public static func encode(_ value: some Encodable, isPretty: Bool = false) throws(EarshotError) -> Data {
        do {
            return try JSONEncoder.sorted(isPretty: isPretty, date: PlaylogTime.text).encode(value)
        } catch {
            throw EarshotError(
                .metadataInvalid,
                "A play has a number that JSON cannot express: leave out values that are not finite.",
                cause: error
            )
        }
    }

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: A JSON document.
    /// - Throws: `metadataInvalid` if the data is malformed.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(EarshotError) -> Value {
        let decoder = JSONDecoder.dates(PlaylogTime.date) { text in
            "\"\(text.prefix(40))\" is no date: write it as 2026-05-01T18:30:00.250Z."
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw EarshotError(
                .metadataInvalid,
                "This is no play in JSON: compare it with an exported play.",
                cause: error
            )
        }
    }
}
