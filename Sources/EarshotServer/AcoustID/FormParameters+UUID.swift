import EarshotAPI
import Foundation

extension FormParameters {
    /// Returns the UUID of a parameter; `nil` if the parameter is absent.
    ///
    /// - Throws: Error 7 for a text that is no UUID.
    func uuid(_ name: String) throws(AcoustIDError) -> UUID? {
        try self[name].map { text throws(AcoustIDError) in try Self.uuid(text, name) }
    }

    static func uuid(_ text: String, _ name: String) throws(AcoustIDError) -> UUID {
        guard let id = UUID(uuidString: text) else { throw .invalidUUID(name) }
        return id
    }
}
