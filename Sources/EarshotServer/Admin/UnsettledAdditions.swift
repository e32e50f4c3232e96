import Crypto
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation

/// Additions of references that were not answered: the database that nodes share did not say in time whether one is kept, or the node ended before
/// it answered.
///
/// An addition is noted before it is made, and forgotten once it is answered. A client that repeats one that was noted gets the reference as new
/// and owns it, though the first attempt made it.
struct UnsettledAdditions: Sendable {
    static let prefix = "addition/"
    /// The time for which an addition may be repeated, in seconds.
    static let memory = 86_400.0

    let accounts: any AccountStore
    let now: @Sendable () -> Date

    /// Returns the name of an addition: the digest of the client, the reference's name, its fields and its signature.
    ///
    /// - Parameters:
    ///   - id: The name of the reference; `nil` to derive it from the content.
    ///   - fields: The properties of the reference.
    ///   - client: The id of the client; `nil` for the operator.
    func name(
        of signature: Signature,
        id: ReferenceID?,
        _ fields: [MediaItemKey: String],
        for client: String?
    ) -> String {
        var hash = SHA256()
        func add(_ data: Data) {
            // The length before each part makes the bytes of different lists of parts different.
            hash.update(data: withUnsafeBytes(of: UInt64(data.count).littleEndian) { Data($0) })
            hash.update(data: data)
        }
        for part in [client, id?.rawValue] {
            add(Data([part == nil ? 0 : 1]))
            add(Data((part ?? "").utf8))
        }
        for (key, value) in fields.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            add(Data(key.rawValue.utf8))
            add(Data(value.utf8))
        }
        add(signature.data)
        return Self.prefix + hash.finalize().hexadecimal
    }

    /// Returns `true` if an addition was made in the last day and not answered.
    func isNoted(_ name: String) async throws(EarshotError) -> Bool {
        guard let data = try await accounts.value(name) else { return false }
        return Self.holds(data, at: now())
    }

    /// Notes an addition that is about to be made.
    func note(_ name: String) async throws(EarshotError) {
        let time = now().timeIntervalSince1970.bitPattern
        try await accounts.setValue(withUnsafeBytes(of: time.littleEndian) { Data($0) }, for: name)
    }

    /// Forgets an addition that is answered.
    func forget(_ name: String) async throws(EarshotError) { try await accounts.setValue(nil, for: name) }

    /// Forgets additions that nobody has repeated for a day.
    func clean() async throws(EarshotError) {
        for name in try await accounts.valueNames(beginning: Self.prefix) {
            guard let data = try await accounts.value(name), !Self.holds(data, at: now()) else { continue }
            try await forget(name)
        }
    }

    private static func holds(_ data: Data, at now: Date) -> Bool {
        let bytes = [UInt8](data)
        guard bytes.count == MemoryLayout<UInt64>.size else { return false }
        let time = Double(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        return now.timeIntervalSince1970 < time + memory
    }
}
