public import EarshotCore

/// A read-only music library: no call adds, changes or removes an item or a file.
///
/// A folder, a playlist, a device and a network share are libraries.
public protocol MusicLibrary: Sendable {
    /// All items, in the library's order, each identifier once.
    ///
    /// - Throws: `libraryAccessDenied` when the library may not be read; what else a library throws it says itself.
    func items() async throws(EarshotError) -> [MusicItem]

    /// The items of a kind, in the library's order.
    ///
    /// - Throws: The errors of ``items()``.
    func items(of kind: MediaKind) async throws(EarshotError) -> [MusicItem]

    /// The item of an identifier; `nil` if the library does not have it.
    ///
    /// - Throws: The errors of ``items()``.
    func item(_ id: ItemID) async throws(EarshotError) -> MusicItem?
}

extension MusicLibrary {
    /// The items of a kind, out of all.
    public func items(of kind: MediaKind) async throws(EarshotError) -> [MusicItem] {
        try await items().filter { $0.kind == kind }
    }

    /// The item of an identifier, out of all.
    public func item(_ id: ItemID) async throws(EarshotError) -> MusicItem? {
        try await items().first { $0.id == id }
    }
}
