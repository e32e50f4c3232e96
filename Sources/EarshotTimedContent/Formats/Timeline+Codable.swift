import EarshotCatalogs
import EarshotCore

extension Timeline: Codable {
    /// Decodes a timeline from a JSON document, or the equivalent of another decoder, with times as seconds.
    ///
    /// - Throws: `timelineInvalid`, as an `EarshotError`, if the value is not a timeline.
    public init(from decoder: any Decoder) throws {
        let value: PropertyValue
        do throws(PropertyReader.Fault) {
            value = try tree(decoder)
        } catch {
            throw EarshotError(.timelineInvalid, error.sentence)
        }
        try self.init(propertyValue: value)
    }

    /// The members of a document: the timeline with its format.
    var document: PropertyValue {
        var members = propertyValue.dictionary ?? [:]
        members["format"] = .string(Self.formatName)
        return .dictionary(members)
    }

    /// Encodes the timeline with its format and version, with times as seconds.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(document: document).encode(to: encoder)
    }
}

extension TimedEntry: Codable {
    /// Decodes an entry, with times as seconds. It is checked when it becomes part of a timeline.
    ///
    /// - Throws: `timelineInvalid`, as an `EarshotError`, if the value is not an entry.
    public init(from decoder: any Decoder) throws {
        self = try element(decoder) { reader, number throws(PropertyReader.Fault) in
            try Self(reader, number: number)
        }
    }

    /// Encodes the entry, with times as seconds.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(document: propertyValue).encode(to: encoder)
    }
}

extension TimedPart: Codable {
    /// Decodes a part, with times as seconds. It is checked when its entry becomes part of a timeline.
    ///
    /// - Throws: `timelineInvalid`, as an `EarshotError`, if the value is not a part.
    public init(from decoder: any Decoder) throws {
        self = try element(decoder) { reader, number throws(PropertyReader.Fault) in
            try Self(reader, number: number)
        }
    }

    /// Encodes the part, with times as seconds.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(document: propertyValue).encode(to: encoder)
    }
}

/// An element of a list, with its number there, counted from 1.
private func element<Element>(
    _ decoder: any Decoder,
    _ make: (PropertyReader, Int) throws(PropertyReader.Fault) -> Element
) throws(EarshotError) -> Element {
    do throws(PropertyReader.Fault) {
        return try make(PropertyReader(value: try tree(decoder)), (decoder.codingPath.last?.intValue ?? 0) + 1)
    } catch {
        throw EarshotError(.timelineInvalid, error.sentence)
    }
}

/// The value that a decoder holds.
private func tree(_ decoder: any Decoder) throws(PropertyReader.Fault) -> PropertyValue {
    guard let json = try? JSONValue(from: decoder) else {
        throw PropertyReader.Fault(path: [], message: "cannot be read: it must hold text, numbers, arrays and objects")
    }
    return try PropertyValue(tagged: json)
}
