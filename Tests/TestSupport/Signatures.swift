package import EarshotCore
package import EarshotSignatures

extension SyntheticMusic {
    /// The signature of ``samples(from:seconds:sampleRate:change:)``.
    package func signature(
        from start: Double = 0,
        seconds: Double? = nil,
        sampleRate: Int = 16_000,
        change: Change = .none
    ) throws -> Signature {
        try .of(samples(from: start, seconds: seconds, sampleRate: sampleRate, change: change), sampleRate: sampleRate)
    }
}

extension Signature {
    /// The signature of samples of one channel.
    package static func of(_ samples: [Float], sampleRate: Int = 16_000) throws(EarshotError) -> Signature {
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(samples, sampleRate: sampleRate))
        return generator.signature()
    }

    /// A signature of landmarks drawn at random, as dense as that of music but made without any audio.
    ///
    /// - Parameters:
    ///   - seed: Which one.
    ///   - seconds: How long it is.
    ///   - density: Landmarks a second.
    package static func random(seed: UInt64, seconds: Int, density: Int = 40) -> Signature {
        var generator = SeededGenerator(seed: seed)
        var landmarks: [Landmark] = []
        for _ in 0..<seconds * density {
            landmarks.append(
                Landmark(
                    time: UInt32.random(in: 0..<UInt32(seconds * Landmark.stepsPerSecond), using: &generator),
                    frequency: UInt16.random(in: 0..<1_920, using: &generator),
                    tier: UInt8.random(in: 0..<5, using: &generator)
                )
            )
        }
        let places = Set(landmarks).sorted()
        return Signature(
            configuration: .standard,
            duration: MediaTime(value: Int64(seconds), timescale: 1),
            landmarks: places
        )
    }
}

/// The code of the error that a body throws, or nothing when it throws none.
package func code(of body: () throws -> Void) -> EarshotError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? EarshotError)?.code
    }
}
