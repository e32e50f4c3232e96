import CFFmpeg

/// An SHA-256 that is being computed, by libavutil: this module then needs no library of cryptography besides FFmpeg.
package final class SHA256Hash {
    private let state: OpaquePointer

    package init() {
        guard let state = av_sha_alloc() else { preconditionFailure("no memory for a hash of 100 bytes") }
        self.state = state
        av_sha_init(state, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(state)) }

    /// Hashes bytes after those before.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        av_sha_update(state, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// Hashes bytes after those before.
    package func update(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes(update) }
    }

    /// The hash of all bytes: 32 bytes. Nothing can be hashed after it.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(state, &digest)
        return digest
    }
}
