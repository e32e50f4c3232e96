public import EarshotCore
public import EarshotRecognition

/// A piece of music in somebody else's library, such as that of a device: it has no file that could be opened, but says what it is
/// and can perhaps be listened to.
public protocol LibraryItem: Sendable {
    /// The attributes from the library, with an identifier that no other item has.
    var attributes: FileAttributes { get }

    /// The audio from its beginning; `nil` if the library does not provide it.
    ///
    /// - Throws: An error if the audio cannot be read; the item is then identified by its attributes alone.
    func audio() async throws(EarshotError) -> (any AudioSource)?
}

extension LibraryItem {
    /// Nothing: it is known by its attributes.
    public func audio() async throws(EarshotError) -> (any AudioSource)? { nil }
}
