public import Foundation

/// A source that reads a bundle from an asynchronous sequence of chunks, such as a network response.
public struct StreamBundleSource<Pieces: AsyncSequence>: BundleSource where Pieces.Element: DataProtocol {
    private var pieces: Pieces.AsyncIterator
    /// The rest of the last chunk.
    private var rest = Data()

    /// Creates a source from chunks of any size; empty ones are ignored.
    public init(_ pieces: Pieces) {
        self.pieces = pieces.makeAsyncIterator()
    }

    /// Reads the next bytes of the stream.
    ///
    /// - Throws: The stream's errors.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int {
        while rest.isEmpty {
            guard let piece = try await pieces.next(isolation: #isolation) else { return 0 }
            rest = Data(piece)
        }
        let count = min(rest.count, buffer.count)
        rest.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        rest = rest.dropFirst(count)
        return count
    }
}

/// A source that reads a bundle from an asynchronous sequence of bytes, as of `URLSession` and file handles.
package struct ByteStreamBundleSource<Bytes: AsyncSequence>: BundleSource where Bytes.Element == UInt8 {
    private var bytes: Bytes.AsyncIterator

    /// Creates a source from a sequence of bytes.
    public init(_ bytes: Bytes) {
        self.bytes = bytes.makeAsyncIterator()
    }

    /// Reads bytes of the stream until the buffer is full or the stream ends.
    ///
    /// - Throws: The stream's errors.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int {
        var count = 0
        while count < buffer.count, let byte = try await bytes.next(isolation: #isolation) {
            buffer[count] = byte
            count += 1
        }
        return count
    }
}
