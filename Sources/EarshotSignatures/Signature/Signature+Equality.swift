/// Levels do not count: they are a help for asking, which most files do not keep.
extension Signature: Hashable {
    /// Returns `true` if two signatures stand for the same audio: with the same landmarks and bits.
    public static func == (first: Signature, second: Signature) -> Bool {
        first.configuration == second.configuration && first.duration == second.duration
            && first.landmarks == second.landmarks && first.bits == second.bits
    }

    /// Feeds what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(configuration)
        hasher.combine(duration)
        hasher.combine(landmarks)
        hasher.combine(bits)
    }
}
