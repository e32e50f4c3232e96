package import EarshotCore

/// Keeps the list of files that a service offers, for all of its nodes. The bytes are in a bucket.
///
/// A key of the bucket is reserved before bytes are put there. Bytes that were not published, or are offered no more, are garbage, which is
/// removed when nobody can be reading it any more.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol PublicationStore: Sendable {
    /// Returns the newest version of each name, in order of names.
    func newest(_ kind: Publication.Kind) async throws(EarshotError) -> [Publication]
    /// Returns the versions of a name, the oldest first.
    func versions(of name: String, _ kind: Publication.Kind) async throws(EarshotError) -> [Publication]

    /// Reserves a key of the bucket, into which bytes are about to be put.
    func reserve(_ object: String) async throws(EarshotError)
    /// Publishes as the newest version, beside those of before. The store chooses the number.
    ///
    /// - Parameters:
    ///   - publication: The publication, whose version does not count, and whose object was reserved.
    ///   - floor: A number that the version is greater than.
    /// - Returns: The publication with its version.
    /// - Throws: `storeUnavailable` if the reservation has ended.
    func add(_ publication: Publication, above floor: Int) async throws(EarshotError) -> Publication
    /// Publishes in place of all versions of before, if they are earlier ones.
    ///
    /// - Parameter publication: The publication, whose object was reserved.
    /// - Returns: The publication that is offered now: another one if it is as new or newer.
    /// - Throws: `storeUnavailable` if the reservation has ended.
    func replace(with publication: Publication) async throws(EarshotError) -> Publication
    /// Offers all versions of a name no more.
    ///
    /// - Returns: `false` if there was none.
    func remove(_ name: String, _ kind: Publication.Kind) async throws(EarshotError) -> Bool

    /// Returns the objects that nothing has needed for some time. They can be reserved and published no more.
    func garbage(after seconds: Double) async throws(EarshotError) -> [String]
    /// Forgets objects that were removed from the bucket.
    func forget(_ objects: [String]) async throws(EarshotError)
}

extension PublicationStore {
    /// Returns the failure of publishing bytes whose reservation has ended.
    package static func expired(_ publication: Publication) -> EarshotError {
        EarshotError(
            .storeUnavailable,
            "The \(publication.kind.rawValue) \(publication.name) was uploaded for too long: publish it again."
        )
    }
}
