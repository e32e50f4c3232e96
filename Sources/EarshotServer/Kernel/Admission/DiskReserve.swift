import EarshotCore
package import Foundation

/// The part of a disk that stays free: work that writes is refused before the disk is full, because on a full disk every store fails.
package struct DiskReserve: Sendable {
    /// The room of a disk, in bytes.
    struct Volume: Sendable {
        var size: Int
        /// The bytes that users other than root may still write.
        var free: Int
    }

    /// The least number of bytes that stay free by default, 2 GiB: a twentieth of the disk is used between this and
    /// ``largest``, but never more than a quarter of the disk.
    private static let smallest = 2 << 30
    /// The most bytes that stay free by default, 20 GiB: databases need no more on a larger disk.
    private static let largest = 20 << 30

    private let path: String
    private let reserve: Int?
    private let volume: @Sendable (String) -> Volume?

    /// Creates the reserve of a disk.
    ///
    /// - Parameters:
    ///   - folder: A folder of the disk.
    ///   - reserve: The bytes that stay free; `nil` for a twentieth of the disk, within bounds.
    package init(folder: URL, reserve: Int?) { self.init(folder: folder, reserve: reserve, volume: Self.volume) }

    /// Creates the reserve of a disk whose room is read by a function, as in tests.
    ///
    /// - Parameter volume: Reads the room of the disk with a path; `nil` if the system does not tell it.
    init(folder: URL, reserve: Int?, volume: @escaping @Sendable (String) -> Volume?) {
        (path, self.reserve, self.volume) = (folder.path, reserve, volume)
    }

    /// Returns the bytes that may be written until only the reserve is free; `nil` if the system does not tell. Blocks.
    func room() -> Int? {
        guard let volume = volume(path), volume.size > 0 else { return nil }
        return max(0, volume.free - (reserve ?? Self.reserve(of: volume.size)))
    }

    /// Returns the bytes that segments of a shared catalog may take; `nil` if the system does not tell. Blocks.
    ///
    /// - Parameter isOwn: `true` for segments that the node is to hold: without them its answers are incomplete, so they may use the reserve.
    ///   `false` for segments that are fetched for one request.
    @Sendable
    package func room(forOwnSegments isOwn: Bool) -> Int? { isOwn ? volume(path)?.free : room() }

    /// Returns the size of the disk, the free bytes and the reserve, in bytes; `nil` if the system does not tell. Blocks.
    func state() -> (size: Int, free: Int, reserve: Int)? {
        guard let volume = volume(path), volume.size > 0 else { return nil }
        return (volume.size, volume.free, reserve ?? Self.reserve(of: volume.size))
    }

    private static func reserve(of size: Int) -> Int { min(max(smallest, size / 20), largest, size / 4) }

    /// Throws if there is no room for some bytes. Blocks.
    ///
    /// - Parameter bytes: The number of bytes to be written; 1 if it is not known.
    /// - Throws: `writeFailed`.
    func check(for bytes: Int = 1) throws(EarshotError) {
        guard let room = room(), room < bytes else { return }
        throw EarshotError(
            .writeFailed,
            "The service has too little room left to keep more: try again later, or ask the operator to make room."
        )
    }

    /// Does the same as ``check(for:)`` on a thread that may block: a network file system may not answer.
    func admit(_ bytes: Int = 1) async throws(EarshotError) {
        try await BlockingWork.run { () throws(EarshotError) in try check(for: bytes) }
    }

    /// Returns the room of the disk that has a path; `nil` if the system does not tell.
    private static func volume(_ path: String) -> Volume? {
        var state = statvfs()
        guard statvfs(path, &state) == 0 else { return nil }
        func bytes(_ blocks: UInt64) -> Int {
            let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: UInt64(state.f_frsize))
            return isTooMuch ? .max : Int(clamping: bytes)
        }
        return Volume(size: bytes(UInt64(state.f_blocks)), free: bytes(UInt64(state.f_bavail)))
    }
}
