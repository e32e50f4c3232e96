/// The reason why a message between nodes cannot be used.
package enum NodeSearchFault: Error, Hashable, Sendable {
    /// The other node speaks another version of the protocol or of the index: a third one is asked.
    case version
    /// The message breaks the rules of its form, in a sentence.
    case malformed(String)
}
