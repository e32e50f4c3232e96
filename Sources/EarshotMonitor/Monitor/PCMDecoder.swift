import EarshotCore

/// Makes buffers of bytes, wherever those are cut: what is left of a frame waits for the rest of it.
struct PCMDecoder: Sendable {
    let configuration: AudioConfiguration
    private var rest: [UInt8] = []

    init(_ configuration: AudioConfiguration) {
        self.configuration = configuration
    }

    /// Forgets the part of a frame that waits.
    mutating func reset() { rest = [] }

    /// The whole frames of what waits and of new bytes; `nil` while there is none.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> AudioBuffer? {
        let size = configuration.bytesPerFrame
        guard rest.isEmpty else {
            let missing = min(size - rest.count, bytes.count)
            rest += bytes.prefix(missing)
            guard rest.count == size else { return nil }
            let whole = rest + bytes.dropFirst(missing)
            rest = []
            return whole.withUnsafeBytes { append($0) }
        }
        let count = bytes.count / size * size
        rest = Array(bytes.dropFirst(count))
        guard count > 0 else { return nil }
        return AudioBuffer(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), as: configuration)
    }
}
