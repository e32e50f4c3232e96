/// The form of the JSON in which `identify`, `tracklist`, `listen` and `monitor` write results. `Docs/json.md` describes it.
package enum ResultSchema {
    /// The version, as `schemaVersion` in each document and each line. It rises when a member changes its name or meaning.
    package static let version = 1

    /// A number with five decimals.
    package static func rounded(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
}
