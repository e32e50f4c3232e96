/// Equality ignores the spectrogram, because most files do not contain it.
extension Signature: Hashable {
    /// Returns `true` if two signatures have the same configuration, duration, landmarks and bits.
    public static func == (first: Signature, second: Signature) -> Bool {
        first.configuration == second.configuration && first.duration == second.duration
            && first.landmarks == second.landmarks && first.bits == second.bits
    }

    /// Hashes the properties that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(configuration)
        hasher.combine(duration)
        hasher.combine(landmarks)
        hasher.combine(bits)
    }
}
