package import EarshotCore
package import Foundation

/// The folder and the sizes of a cache of metadata. A kilobyte is 1,024 bytes.
package struct MetadataCacheOptions: Hashable, Sendable {
    /// The time for which an answer is valid, in seconds: a week.
    package static let lifetime = 604_800.0
    /// The sizes that a file may have, in kilobytes: 64 KB to 1 GB.
    package static let fileSizes = 64...1_048_576
    /// The sizes that memory may have, in kilobytes: 16 KB to 1 GB.
    package static let memorySizes = 16...1_048_576

    /// The folder; `nil` while the cache is off.
    package var folder: URL?
    /// The largest size of the cache file, in kilobytes. Default: 5,120.
    package var fileSize = 5_120
    /// The largest size of the entries held in memory, in kilobytes. Default: 512.
    package var memorySize = 512

    /// Creates options with the default sizes and no folder, so that the cache is off.
    public init() {}

    /// Checks that both sizes are within ``fileSizes`` and ``memorySizes``.
    ///
    /// - Throws: `configurationInvalid` for a size outside its range.
    package func check() throws(EarshotError) {
        try Self.check(fileSize, in: Self.fileSizes, "file")
        try Self.check(memorySize, in: Self.memorySizes, "memory")
    }

    private static func check(_ size: Int, in range: ClosedRange<Int>, _ name: String) throws(EarshotError) {
        guard range.contains(size) else {
            throw EarshotError(
                .configurationInvalid,
                "The \(name) size of a cache cannot be \(size) KB: take \(range.lowerBound) to \(range.upperBound)."
            )
        }
    }
}
