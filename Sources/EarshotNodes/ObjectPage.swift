package import Foundation

/// A part of the list of the objects in a bucket.
package struct ObjectPage: Hashable, Sendable {
    /// An object in the list.
    package struct Object: Hashable, Sendable {
        package var key: String
        /// The number of its bytes.
        package var size: Int
        /// The time at which it was put, by the clock of the store.
        package var modified: Date

        package init(key: String, size: Int, modified: Date) {
            (self.key, self.size, self.modified) = (key, size, modified)
        }
    }

    /// The objects, in order of their keys.
    package var objects: [Object]
    /// The token with which the next part is asked for; `nil` for the last one.
    package var next: String?

    package init(objects: [Object] = [], next: String? = nil) { (self.objects, self.next) = (objects, next) }
}
