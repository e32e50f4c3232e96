import CFFmpeg

/// Computes a SHA-256 digest with libavutil, so that this module needs no cryptography library besides FFmpeg.
package final class SHA256Hash {
    private let state: OpaquePointer

    package init() {
        guard let state = av_sha_alloc() else { preconditionFailure("no memory for a hash of 100 bytes") }
        self.state = state
        av_sha_init(state, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(state)) }

    /// Adds bytes to the hashed data.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        av_sha_update(state, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// Adds bytes to the hashed data.
    package func update(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes(update) }
    }

    /// Returns the digest of all bytes, 32 bytes. Nothing can be added afterwards.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(state, &digest)
        return digest
    }
}
