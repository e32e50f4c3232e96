public import EarshotCore
public import Foundation

/// A store of recognized music, newest first.
///
/// A store keeps a limited number of entries, by default ``HistoryEntry/maximumCount``. Adding an entry beyond the
/// limit removes the oldest in the same step. Additions are serialized, and each entry has the previous number plus
/// one. Entries are values: changing one does not change the store.
///
/// All functions may be called from any task. They throw `storeUnavailable` when the store cannot be reached, `storeDamaged`,
/// `writeFailed` when the disk is full or closed, and `cancelled`.
public protocol HistoryStore: Sendable {
    /// Adds a match, and removes the oldest entries beyond the limit.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - operation: The operation that recognized the music.
    ///   - date: The time that ``MusicMatch/songPosition`` refers to.
    ///   - place: The user's location. Pass `nil` unless the user allows it.
    ///   - coverArt: The cover, if it has been loaded.
    ///   - heard: The duration for which it was heard, in seconds, if known.
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

    /// A page of entries, the newest first.
    ///
    /// - Parameters:
    ///   - id: Entries before this one only. Pages that are read by the last number of the page before neither repeat nor
    ///     miss an entry, whatever is added meanwhile.
    ///   - offset: The number of newest entries to skip.
    ///   - limit: The most entries of the page.
    func entries(before id: Int?, offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry]

    /// An entry; `nil` if no entry has this number.
    func entry(_ id: Int) async throws(EarshotError) -> HistoryEntry?

    /// The number of entries.
    func count() async throws(EarshotError) -> Int

    /// Puts a cover with an entry: covers commonly arrive later than matches.
    ///
    /// - Returns: `true` if there is such an entry.
    /// - Throws: `metadataInvalid` for a cover that is too large.
    @discardableResult
    func setCoverArt(_ coverArt: HistoryEntry.CoverArt?, of id: Int) async throws(EarshotError) -> Bool

    /// Says how long something was heard, in seconds: that is known when it is no longer heard.
    ///
    /// - Returns: `true` if there is such an entry.
    /// - Throws: `metadataInvalid` for a time that is none.
    @discardableResult
    func setHeard(_ heard: Double?, of id: Int) async throws(EarshotError) -> Bool

    /// Removes an entry.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    func remove(_ id: Int) async throws(EarshotError) -> Bool

    /// Removes all entries. Numbers are not used again.
    func clear() async throws(EarshotError)
}

extension HistoryStore {
    /// Adds a match, and removes the oldest entries beyond the limit.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - operation: The operation that recognized the music.
    ///   - date: The time of recognition.
    ///   - place: The user's location. Pass `nil` unless the user allows it.
    /// - Returns: The entry, with its number.
    /// - Throws: `metadataInvalid` for a date that is none.
    @discardableResult
    public func add(
        _ match: MusicMatch,
        by operation: HistoryEntry.Operation,
        at date: Date,
        place: HistoryPlace? = nil
    ) async throws(EarshotError) -> HistoryEntry {
        try await add(match, by: operation, at: date, place: place, coverArt: nil, heard: nil)
    }

    /// All entries, the newest first.
    public func entries() async throws(EarshotError) -> [HistoryEntry] {
        try await entries(before: nil, offset: 0, limit: .max)
    }

    /// A page of entries, the newest first.
    ///
    /// - Parameters:
    ///   - offset: The number of newest entries to skip.
    ///   - limit: The most entries of the page.
    public func entries(offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry] {
        try await entries(before: nil, offset: offset, limit: limit)
    }

    /// A page of entries behind another page, the newest first.
    ///
    /// - Parameters:
    ///   - id: The last number of the page before.
    ///   - limit: The most entries of the page.
    public func entries(before id: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry] {
        try await entries(before: id, offset: 0, limit: limit)
    }
}
