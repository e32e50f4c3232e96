import EarshotCore
import Foundation

extension PropertyValue {
    /// The deepest nesting of arrays and dictionaries.
    static let maximumDepth = 32

    /// Appends the canonical form: a byte for the kind, then the value. The members of a dictionary are sorted by the
    /// bytes of their names. Values of the same form have equal bytes; 0 and −0, or equivalent text in two Unicode
    /// forms, differ.
    func encode(to writer: inout ByteWriter) {
        switch self {
        case .string(let value):
            writer.write(UInt8(1))
            writer.write(text: value)
        case .integer(let value):
            writer.write(UInt8(2))
            writer.write(value)
        case .real(let value):
            writer.write(UInt8(3))
            writer.write(value.bitPattern)
        case .boolean(let value):
            writer.write(UInt8(value ? 5 : 4))
        case .date(let value):
            writer.write(UInt8(6))
            writer.write(value.timeIntervalSinceReferenceDate.bitPattern)
        case .data(let value):
            writer.write(UInt8(7))
            writer.writeVariable(UInt64(value.count))
            writer.write(contentsOf: value)
        case .array(let values):
            writer.write(UInt8(8))
            writer.writeVariable(UInt64(values.count))
            for value in values { value.encode(to: &writer) }
        case .dictionary(let members):
            writer.write(UInt8(9))
            Self.encode(members, to: &writer)
        }
    }

    static func encode(_ members: [String: PropertyValue], to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(members.count))
        for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            writer.write(text: name)
            value.encode(to: &writer)
        }
    }

    /// Decodes a value; `nil` if the bytes are malformed.
    static func decode(from reader: inout ByteReader, depth: Int = 1) -> PropertyValue? {
        guard depth <= maximumDepth, let kind = reader.read(UInt8.self) else { return nil }
        switch kind {
        case 1: return reader.readText().map { .string($0) }
        case 2: return reader.read(Int64.self).map { .integer($0) }
        case 3: return finite(&reader).map { .real($0) }
        case 4: return .boolean(false)
        case 5: return .boolean(true)
        case 6: return finite(&reader).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case 7:
            guard let count = reader.readVariable().flatMap({ Int(exactly: $0) }),
                let run = reader.read(count: count)
            else { return nil }
            return .data(Data(run))
        case 8:
            // Every element takes at least one byte, so a count beyond the rest is wrong.
            guard let count = reader.readVariable(), count <= UInt64(reader.remaining) else { return nil }
            var values: [PropertyValue] = []
            for _ in 0..<count {
                guard let value = decode(from: &reader, depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .array(values)
        case 9:
            return decodeMembers(from: &reader, depth: depth).map { .dictionary($0) }
        default: return nil
        }
    }

    static func decodeMembers(from reader: inout ByteReader, depth: Int) -> [String: PropertyValue]? {
        guard let count = reader.readVariable(), count <= UInt64(reader.remaining) else { return nil }
        var members: [String: PropertyValue] = [:]
        var before: String?
        for _ in 0..<count {
            // Names must ascend, so that equal members have one form only.
            guard let name = reader.readText(), before.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true,
                members[name] == nil, let value = decode(from: &reader, depth: depth + 1)
            else { return nil }
            members[name] = value
            before = name
        }
        return members
    }

    private static func finite(_ reader: inout ByteReader) -> Double? {
        guard let bits = reader.read(UInt64.self) else { return nil }
        let value = Double(bitPattern: bits)
        return value.isFinite ? value : nil
    }
}
