import EarshotCore
import Foundation

/// Encodes and decodes entities as the JSON in databases.
enum EntityJSON {
    static var encoder: JSONEncoder { .sorted() }

    static func text(_ value: some Encodable) throws -> String { try encoder.text(value) }

    static func value<Value: Decodable>(_ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The database holds an entry that cannot be read: restore the database from a backup.",
                cause: error
            )
        }
    }
}
