extension SeededGenerator {
    /// Bytes with one to four changes: flipped bits, other values, runs left out, doubled or put in.
    package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard !result.isEmpty else { return result }
            let place = Int.random(in: 0..<result.count, using: &self)
            let end = min(result.count, place + Int.random(in: 1...12, using: &self))
            switch Int.random(in: 0..<7, using: &self) {
            case 0, 1: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: result[place] = UInt8(truncatingIfNeeded: next())
            case 3:
                let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
                for index in place..<end { result[index] = extremes.randomElement(using: &self) ?? 0 }
            case 4: result.removeSubrange(place..<end)
            case 5: result.insert(contentsOf: result[place..<end], at: place)
            default:
                for index in place..<end { result[index] = UInt8(truncatingIfNeeded: next()) }
            }
        }
        return result
    }
}
