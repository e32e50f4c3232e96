package import EarshotCore
package import Foundation

/// Bytes that do not change and stay where they are: a file mapped into memory, or an array.
///
/// Mapped, nothing is read until it is looked at, and every process that opens the file shares one copy.
package final class MappedBytes: @unchecked Sendable {
    // Sendable: the memory is read-only from the end of the initializer to deinit.

    /// A reason why a file cannot be mapped.
    package enum Failure: Error {
        /// There is no file, or it may not be read.
        case unreadable
        /// A folder has the name.
        case folder
        /// A device, a socket or the like has the name.
        case special
        /// The file has no bytes.
        case empty
        /// The system has no memory for the mapping.
        case memory
    }

    package let base: UnsafeRawBufferPointer
    private let isMapping: Bool

    /// Copies an array.
    package init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        copy.copyBytes(from: bytes)
        base = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
        isMapping = false
    }

    /// Maps a file.
    package init(contentsOf url: URL) throws(Failure) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .folder }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .special }
        let size = Int(status.st_size)
        guard size > 0 else { throw .empty }
        guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
            throw .memory
        }
        base = UnsafeRawBufferPointer(start: address, count: size)
        isMapping = true
    }

    deinit {
        guard let address = base.baseAddress else { return }
        let memory = UnsafeMutableRawPointer(mutating: address)
        if isMapping { munmap(memory, base.count) } else { memory.deallocate() }
    }

    package var count: Int { base.count }

    /// A run of bytes as an array; what lies outside is left out.
    package func array(_ range: Range<Int>) -> [UInt8] {
        Array(base[range.clamped(to: 0..<base.count)])
    }

    /// Gives back the memory that holds what was read of a mapped file; what is read again comes from the file again.
    ///
    /// For those who go through a large file once, and need not keep it.
    package func release() {
        guard isMapping, let address = base.baseAddress else { return }
        madvise(UnsafeMutableRawPointer(mutating: address), base.count, MADV_DONTNEED)
    }

    /// Calls `body` with a run of bytes piece by piece, giving back the memory of each; what lies outside is left out.
    package func forEachPiece(
        of range: Range<Int>,
        _ body: (UnsafeRawBufferPointer) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        var rest = range.clamped(to: 0..<base.count)
        while !rest.isEmpty {
            let piece = rest.prefix(8 << 20)
            try body(UnsafeRawBufferPointer(rebasing: base[piece]))
            rest = piece.endIndex..<rest.upperBound
            release()
        }
    }

    /// The CRC-32C of a run of bytes.
    package func checksum(of range: Range<Int>) -> UInt32 {
        var crc = CRC32C()
        try? forEachPiece(of: range) { crc.update($0) }
        return crc.value
    }

    /// Returns the little-endian number at an offset.
    ///
    /// A module that reads numbers in inner loops declares this function again: a generic function is made for one type only
    /// inside its module. Called from another one, `@inlinable` or not, it took half of the processor time of a query.
    func load<Number: FixedWidthInteger>(_ type: Number.Type = Number.self, at offset: Int) -> Number {
        precondition(offset >= 0 && offset <= base.count - MemoryLayout<Number>.size)
        return Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }
}
