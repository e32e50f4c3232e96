package import Foundation

extension JSONEncoder {
    /// Returns an encoder that sorts keys and does not escape slashes, so that equal values give equal bytes.
    ///
    /// - Parameters:
    ///   - isPretty: `true` to format the JSON with lines and indentation.
    ///   - date: Returns the text of a date; `nil` for Foundation's number of seconds since 2001.
    package static func sorted(isPretty: Bool = false, date: (@Sendable (Date) -> String)? = nil) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        if let date {
            encoder.dateEncodingStrategy = .custom { value, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date(value))
            }
        }
        return encoder
    }

    /// Encodes a value and returns the JSON as text.
    ///
    /// - Throws: The errors of encoding.
    package func text(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }
}

extension JSONDecoder {
    /// Returns a decoder that reads dates from text.
    ///
    /// - Parameters:
    ///   - date: Returns the date of a text; `nil` if the text is not a date.
    ///   - fault: Returns the debug description of the error for a text that is not a date.
    package static func dates(
        _ date: @escaping @Sendable (String) -> Date?,
        orThrow fault: @escaping @Sendable (String) -> String
    ) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: fault(text))
            }
            return date
        }
        return decoder
    }
}
