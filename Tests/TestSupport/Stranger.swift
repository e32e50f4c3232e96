package import Foundation

/// Another user, for tests of rights: what root may do proves nothing. Only root on Linux can be one.
package enum Stranger {
    package static let user: uid_t = 54_321

    /// Whether this process can be one.
    package static var isThere: Bool {
        #if os(Linux)
            geteuid() == 0 && call != nil
        #else
            false
        #endif
    }

    /// Runs a test as that user: files are seen with the rights of somebody who owns none of them. The thread alone is
    /// changed, so that other tests go on as they are; whatever is tested has to stay on it.
    package static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if os(Linux)
            let before = call?(user)
            defer { if let before { _ = call?(UInt32(before)) } }
        #endif
        return try body()
    }

    #if os(Linux)
        /// `setfsuid`, which Swift does not import.
        private static var call: (@convention(c) (UInt32) -> Int32)? {
            guard let place = dlsym(nil, "setfsuid") else { return nil }
            return unsafeBitCast(place, to: (@convention(c) (UInt32) -> Int32).self)
        }
    #endif
}
