package import EarshotCore
import EarshotSegments
package import Foundation

/// A catalog file that is open as a part of a larger catalog, for stores that keep segments by rules of their own.
package struct SegmentFile: Sendable {
    /// The address of the file.
    package let url: URL
    let segment: Segment

    /// Opens a file. Its header and the shape of its parts are checked, the rest by ``checksum()``.
    ///
    /// - Throws: `catalogAddressInvalid` when there is no file to be read, `catalogInvalid` when it is damaged.
    package init(contentsOf url: URL) throws(EarshotError) {
        self.url = url
        segment = try Segment(try MappedBytes(catalog: url), name: url.path)
    }

    /// The number of references.
    package var referenceCount: Int { segment.referenceCount }
    /// The size in bytes.
    package var byteCount: Int { segment.bytes.count }
    /// Frames that it takes on its timeline; a file may have 2^32 − 1.
    package var frameCount: Int { segment.frameCount }

    /// The CRC-32C of all bytes, for which all of them are read.
    package func checksum() -> UInt32 { segment.bytes.checksum(of: 0..<segment.bytes.count) }

    /// Writes several files as one: the references in the order of the files.
    ///
    /// - Parameter url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` when one is damaged or a limit of the format is exceeded, `writeFailed`,
    ///   `destinationExists`.
    package static func merge(_ files: [SegmentFile], to url: URL) throws(EarshotError) {
        let sources = files.map { file in
            SegmentMerger.Source(target: MaskedSegment(segment: file.segment, removed: []), name: file.url.path)
        }
        try SegmentMerger.merge(sources, limits: files.first?.segment.limits ?? .standard, to: url)
    }
}

extension Catalog {
    /// Files as one catalog, searched as one. A name may occur in several of them; ``places(of:)`` tells them apart.
    package init(_ files: [SegmentFile], name: String) {
        self.init(
            targets: files.map { MaskedSegment(segment: $0.segment, removed: []) },
            queryLimits: files.first?.segment.limits ?? .standard,
            name: name
        )
    }
}
