/// The name of a node: a running service that shares its database with others. A node has a new one each time it starts.
package struct NodeID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Returns a name that no other node has: `node-` and 16 letters and digits.
    package static func random() -> NodeID {
        let characters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return NodeID(rawValue: "node-" + String((0..<16).map { _ in characters[Int.random(in: 0..<32)] }))
    }

    package var description: String { rawValue }
}
