import EarshotCore

/// Cuts audio into pieces of a tenth of a second, so that nothing that follows depends on how it was cut before.
struct Chunker: Sendable {
    /// Pieces a second, but for rates that are no multiple of it.
    static let piecesPerSecond = 10

    private var waiting: [AudioBuffer] = []
    private var frames = 0

    /// Forgets what is less than a piece.
    mutating func reset() { self = Chunker() }

    /// The whole pieces of what waits and of what comes. A change of the format drops what waits.
    mutating func append(_ buffer: AudioBuffer) -> [AudioBuffer] {
        if let last = waiting.last, last.format != buffer.format { reset() }
        guard buffer.frameCount > 0 else { return [] }
        waiting.append(buffer)
        frames += buffer.frameCount
        let size = max(1, buffer.sampleRate / Self.piecesPerSecond)
        guard frames >= size else { return [] }
        let whole = AudioBuffer.joined(waiting) ?? buffer
        let count = frames / size
        let pieces = (0..<count).map { whole.frames($0 * size..<($0 + 1) * size) }
        frames -= count * size
        waiting = frames > 0 ? [whole.frames(count * size..<whole.frameCount)] : []
        return pieces
    }
}
