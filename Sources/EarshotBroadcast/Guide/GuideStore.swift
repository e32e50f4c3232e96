public import EarshotCore
public import Foundation

/// A store of guide data: works, programs, channels and airings.
///
/// An airing is identified by its channel and start; times are stored to the millisecond. All functions may be called
/// from any task. They throw `storeUnavailable` if the store cannot be reached, `storeDamaged`, and `cancelled`.
public protocol GuideStore: GuideSource {
    /// Makes changes in order: all of them or none.
    ///
    /// - Throws: `metadataInvalid` for a schedule with an unknown channel or program, or an airing with invalid times;
    ///   `writeFailed` if the disk is full or read-only. Then nothing has changed.
    func apply(_ changes: [GuideChange]) async throws(EarshotError)

    /// Returns the works whose titles, in any language, contain all words of a text: first those whose title is the
    /// text, then by title.
    func works(titled text: String, limit: Int) async throws(EarshotError) -> [VideoWork]

    /// Returns the programs whose titles, in any language, contain all words of a text, in the same order.
    func programs(titled text: String, limit: Int) async throws(EarshotError) -> [Program]

    /// Removes the airings that ended at or before a time.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - withPrograms: `true` to remove the programs of these airings too if they have no other airing.
    /// - Returns: The number of airings removed.
    func removeAirings(endedBy date: Date, withPrograms: Bool) async throws(EarshotError) -> Int

    /// Returns the number of records of each kind.
    func counts() async throws(EarshotError) -> GuideCounts
}
