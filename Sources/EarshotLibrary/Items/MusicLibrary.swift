public import EarshotCore

/// A read-only music library: no call adds, changes or removes an item or a file.
///
/// A folder, a playlist, a device and a network share are libraries.
public protocol MusicLibrary: Sendable {
    /// Returns all items in the library's order, each identifier once.
    ///
    /// - Throws: `libraryAccessDenied` if the library may not be read; the documentation of each library names further errors.
    func items() async throws(EarshotError) -> [MusicItem]

    /// Returns the items of a kind, in the library's order.
    ///
    /// - Throws: The errors of ``items()``.
    func items(of kind: MediaKind) async throws(EarshotError) -> [MusicItem]

    /// Returns the item with an identifier; `nil` if the library does not have it.
    ///
    /// - Throws: The errors of ``items()``.
    func item(_ id: ItemID) async throws(EarshotError) -> MusicItem?
}

extension MusicLibrary {
    /// Returns the items of a kind by filtering ``items()``.
    public func items(of kind: MediaKind) async throws(EarshotError) -> [MusicItem] {
        try await items().filter { $0.kind == kind }
    }

    /// Returns the item with an identifier by searching ``items()``; `nil` if there is none.
    public func item(_ id: ItemID) async throws(EarshotError) -> MusicItem? {
        try await items().first { $0.id == id }
    }
}
