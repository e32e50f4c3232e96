public import EarshotCore
public import Foundation

/// A store of a user's recognized tracks.
///
/// A store keeps a limited number of entries, by default ``HistoryEntry/maximumCount``. Adding an entry beyond the
/// limit removes the oldest in the same step. Additions are serialized, and each entry has the previous number plus
/// one. Entries are values: changing one does not change the store.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached,
/// `storeDamaged`, `writeFailed` if the disk is full or read-only, and `cancelled`.
public protocol HistoryStore: Sendable {
    /// Adds a match, and removes the oldest entries beyond the limit.
    ///
    /// - Parameters:
    ///   - match: The best match of a recognition.
    ///   - operation: The operation that recognized the music.
    ///   - date: The time of the recognition, to which ``MusicMatch/songPosition`` refers.
    ///   - place: The user's location. Pass `nil` unless the user allows it.
    ///   - coverArt: The cover; `nil` if it has not been loaded.
    ///   - heard: The duration for which the track was heard, in seconds; `nil` if unknown.
    /// - Returns: The entry, with its number.
    /// - Throws: `metadataInvalid` as ``HistoryEntry`` does.
    func add(
        _ match: MusicMatch,
        by operation: HistoryEntry.Operation,
        at date: Date,
        place: HistoryPlace?,
        coverArt: HistoryEntry.CoverArt?,
        heard: Double?
    ) async throws(EarshotError) -> HistoryEntry

    /// Returns a page of entries, the newest first.
    ///
    /// - Parameters:
    ///   - id: The number that all entries of the page must be less than; `nil` for no limit. Pages that continue from
    ///     the last number of the previous page neither repeat nor miss an entry, whatever is added meanwhile.
    ///   - offset: The number of newest entries to skip.
    ///   - limit: The largest number of entries.
    func entries(before id: Int?, offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry]

    /// Returns an entry; `nil` if no entry has this number.
    func entry(_ id: Int) async throws(EarshotError) -> HistoryEntry?

    /// Returns the number of entries.
    func count() async throws(EarshotError) -> Int

    /// Sets the cover of an entry: covers are commonly loaded after the match. `nil` removes it.
    ///
    /// - Returns: `true` if the entry exists.
    /// - Throws: `metadataInvalid` for a cover that is too large.
    @discardableResult
    func setCoverArt(_ coverArt: HistoryEntry.CoverArt?, of id: Int) async throws(EarshotError) -> Bool

    /// Sets the duration for which a track was heard, in seconds, which is known when it has ended. `nil` removes it.
    ///
    /// - Returns: `true` if the entry exists.
    /// - Throws: `metadataInvalid` for a duration that is negative or not finite.
    @discardableResult
    func setHeard(_ heard: Double?, of id: Int) async throws(EarshotError) -> Bool

    /// Removes an entry.
    ///
    /// - Returns: `true` if the entry existed.
    @discardableResult
    func remove(_ id: Int) async throws(EarshotError) -> Bool

    /// Removes all entries. Their numbers are not reused.
    func clear() async throws(EarshotError)
}

extension HistoryStore {
    /// Adds a match without a cover or listening duration, and removes the oldest entries beyond the limit.
    ///
    /// - Parameters:
    ///   - match: The best match of a recognition.
    ///   - operation: The operation that recognized the music.
    ///   - date: The time of the recognition.
    ///   - place: The user's location. Pass `nil` unless the user allows it.
    /// - Returns: The entry, with its number.
    /// - Throws: `metadataInvalid` for a date outside the years 1 to 9999.
    @discardableResult
    public func add(
        _ match: MusicMatch,
        by operation: HistoryEntry.Operation,
        at date: Date,
        place: HistoryPlace? = nil
    ) async throws(EarshotError) -> HistoryEntry {
        try await add(match, by: operation, at: date, place: place, coverArt: nil, heard: nil)
    }

    /// Returns all entries, the newest first.
    public func entries() async throws(EarshotError) -> [HistoryEntry] {
        try await entries(before: nil, offset: 0, limit: .max)
    }

    /// Returns a page of entries, the newest first.
    ///
    /// - Parameters:
    ///   - offset: The number of newest entries to skip.
    ///   - limit: The largest number of entries.
    public func entries(offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry] {
        try await entries(before: nil, offset: offset, limit: limit)
    }

    /// Returns the page of entries that follows another page, the newest first.
    ///
    /// - Parameters:
    ///   - id: The last number of the previous page.
    ///   - limit: The largest number of entries.
    public func entries(before id: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry] {
        try await entries(before: id, offset: 0, limit: limit)
    }
}
