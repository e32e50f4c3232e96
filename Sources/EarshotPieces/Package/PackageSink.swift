import EarshotCore
import Foundation

/// What the bytes of a package go into.
protocol PackageSink: AnyObject {
    func write(_ bytes: [UInt8]) throws(EarshotError)
}

extension AtomicFile: PackageSink {}

/// Memory that grows.
final class MemorySink: PackageSink {
    private(set) var data = Data()

    func write(_ bytes: [UInt8]) { data.append(contentsOf: bytes) }
}
