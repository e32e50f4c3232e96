public import EarshotCore
public import Foundation

/// A store of guide data: works, programs, channels and airings.
///
/// An airing is known by its channel and the instant at which it begins; instants are kept to the millisecond. All functions
/// may be called from any task. They throw `storeUnavailable` when the store cannot be reached, `storeDamaged`, and
/// `cancelled`.
public protocol GuideStore: GuideSource {
    /// Makes changes, in order, all of them or none.
    ///
    /// - Throws: `metadataInvalid` for an airing of a channel or a programme that is not known, or with times that cannot be,
    ///   and `writeFailed` when the disk is full or closed; then nothing has changed.
    func apply(_ changes: [GuideChange]) async throws(EarshotError)

    /// The works in whose titles, in any language, all words of a text stand: first those whose title is the text, then in
    /// order of titles.
    func works(titled text: String, limit: Int) async throws(EarshotError) -> [VideoWork]

    /// The programmes in whose titles, in any language, all words of a text stand, in the same order.
    func programs(titled text: String, limit: Int) async throws(EarshotError) -> [Program]

    /// Removes what ended before an instant, or at it.
    ///
    /// - Parameters:
    ///   - date: The instant.
    ///   - withPrograms: `true` if programmes of these airings that have no airing left are removed too.
    /// - Returns: The number of airings removed.
    func removeAirings(endedBy date: Date, withPrograms: Bool) async throws(EarshotError) -> Int

    /// The number of records of each kind.
    func counts() async throws(EarshotError) -> GuideCounts
}
