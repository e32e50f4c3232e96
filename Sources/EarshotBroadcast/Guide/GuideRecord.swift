package import EarshotCore
import Foundation

/// The JSON of works, programs and channels in databases.
package enum GuideRecord {
    /// Returns the JSON of an entity.
    ///
    /// - Throws: `metadataInvalid` for a number that JSON cannot represent.
    package static func text(_ entity: some Encodable) throws(EarshotError) -> String {
        do {
            return try JSONEncoder.sorted().text(entity)
        } catch {
            throw EarshotError(
                .metadataInvalid,
                "An entry of the guide has a number that JSON cannot express: leave out values that are not finite.",
                cause: error
            )
        }
    }

    /// Decodes an entity.
    ///
    /// - Throws: `storeDamaged` if the text cannot be decoded.
    package static func value<Value: Decodable>(_ text: String) throws(EarshotError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The guide store holds an entry that cannot be read: restore the store from a backup.",
                cause: error
            )
        }
    }
}
