package import Foundation

/// Extended attributes of files, for tests, where there are any: Swift does not import the calls of Linux.
package enum ExtendedAttribute {
    private typealias Setting =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
    private typealias Getting =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int

    /// Sets one; gives whether the file system took it.
    package static func set(_ name: String, of url: URL, to value: [UInt8]) -> Bool {
        #if os(Linux)
            guard let place = dlsym(nil, "setxattr") else { return false }
            return unsafeBitCast(place, to: Setting.self)(url.path, name, value, value.count, 0) == 0
        #else
            return false
        #endif
    }

    /// Reads one of at most 100 bytes; nothing where there is none.
    package static func get(_ name: String, of url: URL) -> [UInt8]? {
        #if os(Linux)
            guard let place = dlsym(nil, "getxattr") else { return nil }
            var value = [UInt8](repeating: 0, count: 100)
            let count = unsafeBitCast(place, to: Getting.self)(url.path, name, &value, value.count)
            return count < 0 ? nil : Array(value.prefix(count))
        #else
            return nil
        #endif
    }
}
