package import EarshotCatalogs
package import EarshotCore

/// A catalog that nodes share, as it is at one moment.
package struct SharedManifest: Hashable, Sendable {
    /// Counts the changes.
    package var generation: Int
    /// A text that is another one after each change, also where a database that was restored counts the same again.
    package var stamp: String
    package var limits: QueryLimits
    /// The segments, in order of adding.
    package var segments: [SharedSegment]

    package init(generation: Int, stamp: String, limits: QueryLimits, segments: [SharedSegment] = []) {
        (self.generation, self.stamp, self.limits, self.segments) = (generation, stamp, limits, segments)
    }

    /// The error for a catalog that is not there.
    package static func missing(_ catalog: String) -> EarshotError {
        EarshotError(.catalogAddressInvalid, "The database has no catalog named \(catalog): make it first.")
    }

    /// The number of references.
    package var count: Int { segments.reduce(0) { $0 + $1.count } }
    /// Bytes of all segments.
    package var size: Int { segments.reduce(0) { $0 + $1.size } }
}
