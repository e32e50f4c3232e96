public import EarshotCore
public import EarshotRecognition

/// A piece of music in somebody else's library, such as that of a device: it has no file that could be opened, but says what it is
/// and can perhaps be listened to.
public protocol LibraryItem: Sendable {
    /// What the library says of it, under a name that no other item has.
    var attributes: FileAttributes { get }

    /// Its sound from the beginning on; `nil` if the library does not give it.
    ///
    /// - Throws: Why it cannot be listened to; then it is known by its attributes.
    func audio() async throws(EarshotError) -> (any AudioSource)?
}

extension LibraryItem {
    /// Nothing: it is known by its attributes.
    public func audio() async throws(EarshotError) -> (any AudioSource)? { nil }
}
