public import EarshotCore
public import Foundation

/// Where it is kept what was recognized, newest first.
///
/// A store keeps a number of entries, ``HistoryEntry/maximumCount`` where nobody says otherwise; the oldest are removed in
/// the same step in which a new one is added. Entries are added one after the other, whoever adds them, and each has the
/// previous number plus one. What is read is a copy that callers may change.
///
/// All functions may be called from any task. They throw `storeUnavailable` when the store cannot be reached, `storeDamaged`,
/// `writeFailed` when the disk is full or closed, and `cancelled`.
public protocol HistoryStore: Sendable {
    /// Adds what was recognized, and removes the oldest entries beyond the limit.
    ///
    /// - Parameters:
    ///   - match: What was recognized.
    ///   - operation: What recognized it.
    ///   - date: When it was heard: the instant that ``MusicMatch/songPosition`` speaks of.
    ///   - place: Where the user is. Give nothing unless the user allows it.
    ///   - coverArt: The cover, where it is at hand.
    ///   - heard: How long it was heard, in seconds, where that is known.
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
    ///   - offset: How many of the newest to leave out.
    ///   - limit: The most entries of the page.
    func entries(before id: Int?, offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry]

    /// An entry; `nil` if there is none of this number.
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

    /// Removes all entries. Numbers go on behind those that were given.
    func clear() async throws(EarshotError)
}

extension HistoryStore {
    /// Adds what was recognized, and removes the oldest entries beyond the limit.
    ///
    /// - Parameters:
    ///   - match: What was recognized.
    ///   - operation: What recognized it.
    ///   - date: When it was heard.
    ///   - place: Where the user is. Give nothing unless the user allows it.
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
    ///   - offset: How many of the newest to leave out.
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
