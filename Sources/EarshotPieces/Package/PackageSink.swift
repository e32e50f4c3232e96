import EarshotCore
import Foundation

/// A destination for the bytes of a package.
protocol PackageSink: AnyObject {
    func write(_ bytes: [UInt8]) throws(EarshotError)
}

extension AtomicFile: PackageSink {}

/// A destination in memory.
final class MemorySink: PackageSink {
    private(set) var data = Data()

    func write(_ bytes: [UInt8]) { data.append(contentsOf: bytes) }
}
