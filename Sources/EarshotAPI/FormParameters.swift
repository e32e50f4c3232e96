public import EarshotCore
import Foundation

/// The parameters of a query string, or of a body of type `application/x-www-form-urlencoded`.
///
/// A parameter with several entries has names that end in a point and a number: `fingerprint.0`, `fingerprint.1`.
public struct FormParameters: Hashable, Sendable {
    /// The largest number of parameters that can be added.
    public static let mostParameters = 20_000

    private var values: [String: [String]] = [:]
    private var count = 0

    /// Creates an empty set of parameters.
    public init() {}

    /// Adds the parameters of a query string or a form body.
    ///
    /// - Throws: `uploadTooLarge` if there are more than ``mostParameters``; the first ones are added then.
    public mutating func add(_ text: some StringProtocol) throws(EarshotError) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard count < Self.mostParameters else {
                throw EarshotError(
                    .uploadTooLarge,
                    "The form has more than \(Self.mostParameters) parameters: send it in several requests."
                )
            }
            count += 1
            let split = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = Self.decoded(pair[..<split])
            let value = split < pair.endIndex ? Self.decoded(pair[pair.index(after: split)...]) : ""
            values[name, default: []].append(value)
        }
    }

    /// A text without the escapes of forms. An escape that is none stays as it is; bytes that are no UTF-8 are replaced.
    private static func decoded(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// The first value of a parameter; `nil` if the parameter is missing or empty.
    public subscript(name: String) -> String? { values[name]?.first.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns all values of a parameter in order; empty if it is missing.
    public func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The names of all parameters, sorted.
    public var names: [String] { values.keys.sorted() }

    /// Returns the first value of a parameter as an integer; `nil` if it is missing or not an integer.
    public func integer(_ name: String) -> Int? {
        self[name].flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// Returns the suffixes of the parameters whose names begin with one of the given names, in order: the empty suffix
    /// first, then `.0`, `.1`.
    public func suffixes(of names: String...) -> [String] {
        var numbers: Set<Int> = []
        for key in values.keys {
            for name in names where key.hasPrefix(name) {
                let rest = key.dropFirst(name.count)
                if rest.isEmpty {
                    numbers.insert(-1)
                } else if rest.first == ".", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let number = Int(rest.dropFirst())
                {
                    numbers.insert(number)
                }
            }
        }
        return numbers.sorted().map { $0 < 0 ? "" : ".\($0)" }
    }
}
