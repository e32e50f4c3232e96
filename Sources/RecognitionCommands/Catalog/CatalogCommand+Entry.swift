import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    /// The record that is printed for a reference.
    struct Entry: Encodable {
        let id: String
        let seconds: Double
        let landmarks: Int
        let items: [[String: JSONValue]]

        init(_ reference: Reference) {
            id = reference.id.rawValue
            seconds = reference.signature.duration.seconds
            landmarks = reference.signature.landmarks.count
            items = reference.items.map(JSONValue.object)
        }
    }
}
