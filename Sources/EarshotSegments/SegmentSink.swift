package import EarshotCore

/// The destination of a segment's bytes: a file, or memory.
package protocol SegmentSink: AnyObject {
    func write(_ bytes: [UInt8]) throws(EarshotError)

    /// Replaces bytes that were written before.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(EarshotError)
}

extension AtomicFile: SegmentSink {}

/// A segment in memory.
package final class SegmentMemory: SegmentSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: [UInt8]) { self.bytes += bytes }

    package func overwrite(_ bytes: [UInt8], at offset: Int) {
        self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}
