import EarshotCatalogs
import EarshotCore

// The form is that of the files, described in `Docs/formats/timed-content.md`.

/// Writes members in the form of the files: payloads and metadata without loss, everything else plainly.
struct PropertyDocument: Encodable {
    let value: PropertyValue

    /// Members on one line.
    static func text(_ members: [String: PropertyValue]) throws -> String {
        try JSONTree.text(PropertyDocument(value: .dictionary(members)))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .dictionary(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members {
                let key = Name(stringValue: name)
                if name == "payload" || name == "metadata" {
                    try container.encode(JSONTree(value), forKey: key)
                } else {
                    try container.encode(PropertyDocument(value: value), forKey: key)
                }
            }
        case .array(let values): try values.map(PropertyDocument.init).encode(to: encoder)
        case .real(let value): try value.encode(to: encoder)
        default: try JSONTree(value).encode(to: encoder)
        }
    }
}

extension Timeline: Codable {
    /// The timeline in a JSON document, or another coder's form of it; seconds as numbers.
    ///
    /// - Throws: `timelineInvalid` for what is no timeline, as `EarshotError`.
    public init(from decoder: any Decoder) throws {
        try self.init(propertyValue: JSONTree(from: decoder).value)
    }

    /// Writes the timeline, with its format and version; seconds as numbers.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = propertyValue.dictionary ?? [:]
        members["format"] = .string(Self.formatName)
        try PropertyDocument(value: .dictionary(members)).encode(to: encoder)
    }
}

extension TimedEntry: Codable {
    /// An entry, not checked yet; seconds as numbers.
    ///
    /// - Throws: `timelineInvalid` for what is no entry, as `EarshotError`.
    public init(from decoder: any Decoder) throws {
        self = try element(decoder) { reader, number throws(PropertyReader.Fault) in
            try Self(reader, number: number)
        }
    }

    /// Writes the entry; seconds as numbers.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try PropertyDocument(value: propertyValue).encode(to: encoder)
    }
}

extension TimedPart: Codable {
    /// A part, not checked yet; seconds as numbers.
    ///
    /// - Throws: `timelineInvalid` for what is no part, as `EarshotError`.
    public init(from decoder: any Decoder) throws {
        self = try element(decoder) { reader, number throws(PropertyReader.Fault) in
            try Self(reader, number: number)
        }
    }

    /// Writes the part; seconds as numbers.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try PropertyDocument(value: propertyValue).encode(to: encoder)
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

/// What a decoder holds.
private func tree(_ decoder: any Decoder) throws(PropertyReader.Fault) -> PropertyValue {
    do {
        return try JSONTree(from: decoder).value
    } catch {
        throw PropertyReader.Fault(path: [], message: "cannot be read: it must hold text, numbers, arrays and objects")
    }
}
