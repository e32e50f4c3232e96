import EarshotCore
import Foundation

/// Writes what is left of several segments as one file.
enum SegmentMerger {
    /// A segment, the references of it that do not count, and what to call it in errors.
    struct Source {
        var target: Matcher.Target
        var name: String
    }

    /// - Parameters:
    ///   - sources: In order of adding.
    ///   - limits: What the new file says about queries.
    ///   - url: Where to; it appears whole or not at all.
    ///   - replacing: Whether a file that is there may be replaced.
    /// - Throws: `catalogInvalid` when a reference is damaged or a limit of the format is exceeded, `writeFailed`,
    ///   `destinationExists`.
    static func merge(
        _ sources: [Source],
        limits: Catalog.QueryLimits,
        to url: URL,
        replacing: Bool = false
    ) throws(EarshotError) {
        var references: [Reference] = []
        for source in sources {
            let segment = source.target.segment
            for number in 0..<segment.referenceCount where !source.target.removed.contains(number) {
                guard let reference = segment.reference(number) else {
                    throw StoreManifest.damage(source.name, "is damaged: reference \(number + 1) cannot be read")
                }
                references.append(reference)
            }
        }
        try AtomicFile.write(try SegmentWriter.image(of: references, limits: limits), to: url, replacing: replacing)
    }

    /// Writes a segment's own bytes.
    static func copy(_ segment: Segment, to url: URL) throws(EarshotError) {
        let file = try AtomicFile(url)
        let (count, piece) = (segment.bytes.count, 8 << 20)
        for start in stride(from: 0, to: count, by: piece) {
            try file.write(segment.bytes.array(start..<min(count, start + piece)))
        }
        try file.commit(replacing: false)
    }
}
