public import EarshotCore
public import Foundation

/// Plays, gaps, changes and reports as JSON: dates in ISO 8601, UTC, with milliseconds; members that are not known are left out.
public enum PlaylogJSON {
    /// A value as JSON on one line, members in the order of their names.
    ///
    /// - Throws: `metadataInvalid` for a number that is none; a checked record has no such.
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

    /// A value from JSON.
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
