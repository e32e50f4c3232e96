/// The reason why a message between nodes cannot be used.
package enum NodeSearchFault: Error, Hashable, Sendable {
    /// The other node uses another version of the protocol or of the index.
    case version
    /// The message breaks the rules of its form. The value is a sentence that says which.
    case malformed(String)
}
