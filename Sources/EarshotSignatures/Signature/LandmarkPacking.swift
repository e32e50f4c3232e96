/// The packed form of landmarks in signature files: three bytes each.
///
/// Time is cut into blocks of 64 frames (1.024 s). A directory has one byte a block, the number of its landmarks. Each
/// landmark is 24 bits, little-endian: 9 bits time within the block in steps of 2 ms (highest), 11 bits frequency, 4 bits
/// tier. Landmarks ascend, so equal content has one packed form only.
package enum LandmarkPacking {
    /// The number of time steps of 2 ms in a block: 512.
    package static let stepsPerBlock = 64 * Landmark.stepsPerFrame
    /// The size of one packed landmark, in bytes.
    package static let landmarkSize = 3
    /// The largest number of landmarks in a block.
    package static let blockCapacity = 255

    /// Packs sorted landmarks and returns the directory and the packed landmarks. Landmarks beyond a block's capacity
    /// are left out.
    package static func pack(_ landmarks: [Landmark]) -> (directory: [UInt8], packed: [UInt8]) {
        let blocks = landmarks.last.map { Int($0.time) / stepsPerBlock + 1 } ?? 0
        var directory = [UInt8](repeating: 0, count: blocks)
        var packed: [UInt8] = []
        packed.reserveCapacity(landmarks.count * landmarkSize)
        for landmark in landmarks {
            let (block, time) = Int(landmark.time).quotientAndRemainder(dividingBy: stepsPerBlock)
            // Analysis never gives so many; a slice of a signature from outside may.
            guard directory[block] < blockCapacity else { continue }
            directory[block] += 1
            let bits = UInt32(time) << 15 | UInt32(landmark.frequency) << 4 | UInt32(landmark.tier)
            packed.append(UInt8(truncatingIfNeeded: bits))
            packed.append(UInt8(truncatingIfNeeded: bits >> 8))
            packed.append(UInt8(truncatingIfNeeded: bits >> 16))
        }
        return (directory, packed)
    }

    /// Unpacks one landmark from its three bytes and the index of its block.
    @inline(__always)
    package static func unpack(_ low: UInt8, _ middle: UInt8, _ high: UInt8, block: Int) -> Landmark {
        let bits = UInt32(low) | UInt32(middle) << 8 | UInt32(high) << 16
        return Landmark(
            time: UInt32(truncatingIfNeeded: block * stepsPerBlock) &+ bits >> 15,
            frequency: UInt16(bits >> 4 & 0x7FF),
            tier: UInt8(bits & 0xF)
        )
    }

    /// Unpacks all landmarks of a directory and its packed landmarks; `nil` if they are malformed.
    package static func unpack(directory: ArraySlice<UInt8>, packed: ArraySlice<UInt8>) -> [Landmark]? {
        var landmarks: [Landmark] = []
        landmarks.reserveCapacity(packed.count / landmarkSize)
        guard directory.last != 0 else { return nil }
        var offset = packed.startIndex
        for (block, count) in directory.enumerated() {
            for _ in 0..<count {
                guard offset + landmarkSize <= packed.endIndex else { return nil }
                let landmark = unpack(packed[offset], packed[offset + 1], packed[offset + 2], block: block)
                guard landmark.frequency < Landmark.frequencyCount else { return nil }
                if let last = landmarks.last, landmark < last { return nil }
                landmarks.append(landmark)
                offset += landmarkSize
            }
        }
        return offset == packed.endIndex ? landmarks : nil
    }
}
