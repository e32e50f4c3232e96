import EarshotCore
import Foundation

/// The parts that messages between nodes share. All sizes are bounded by what was read already.
enum NodeSearchForm {
    /// The version of the messages and of the rounds in them. It changes whenever an older node would misread them.
    static let version: UInt16 = 1
    /// The scheme of the index: keys and postings. Nodes of another one cannot answer for its segments.
    static let scheme: UInt16 = 1

    static func writeHead(_ magic: [UInt8], to writer: inout ByteWriter) {
        writer.write(contentsOf: magic)
        writer.write(version)
        writer.write(scheme)
    }

    /// Returns a reader of a message, placed behind its head.
    ///
    /// - Throws: `version` for a head of another version or scheme, `malformed`.
    static func reader(
        _ bytes: [UInt8],
        _ magic: [UInt8],
        largest: Int
    ) throws(NodeSearchFault) -> ByteReader {
        var reader = ByteReader(bytes)
        guard bytes.count <= largest, let start = reader.read(count: magic.count), Array(start) == magic,
            let version = reader.read(UInt16.self), let scheme = reader.read(UInt16.self)
        else { throw .malformed("It is too large, or no message between nodes.") }
        guard version == Self.version, scheme == Self.scheme else { throw .version }
        return reader
    }

    /// Reads a number below 2^48; `nil` for a larger one, or if the message ends.
    static func integer(_ reader: inout ByteReader) -> Int? {
        reader.readVariable().flatMap { number in number < 1 << 48 ? Int(exactly: number) : nil }
    }

    static func write(_ bytes: [UInt8], to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(bytes.count))
        writer.write(contentsOf: bytes)
    }

    /// Reads bytes, which stand behind their length; `nil` if the message ends before.
    static func read(_ reader: inout ByteReader) -> [UInt8]? {
        integer(&reader).flatMap { count in reader.read(count: count).map(Array.init) }
    }

    static func json(_ value: some Encodable) throws(EarshotError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder.sorted().encode(value))
        } catch {
            throw EarshotError(
                .internalError,
                "A message between nodes about a search could not be encoded: please report this.",
                cause: error
            )
        }
    }

    static func value<Value: Decodable>(_ json: [UInt8]) throws(NodeSearchFault) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(json))
        } catch {
            throw .malformed("A round of a search cannot be read.")
        }
    }
}
