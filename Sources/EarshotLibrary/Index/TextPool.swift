/// Texts by number, each kept once, as bytes one behind the other: a fraction of what as many strings take.
struct TextPool: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each text.
    private var ends: [UInt32] = []
    /// Numbers of texts by hash, open addressing; -1 is free.
    private var slots: [Int32] = []

    /// The number of texts; their numbers are below it.
    var count: Int { ends.count }

    /// The number of a text, which is taken where it is not there yet.
    mutating func number(of text: String) -> Int32 {
        var text = text
        return text.withUTF8 { number(of: $0) }
    }

    /// The number of a text; `nil` if it is not there.
    func find(_ text: String) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            guard !slots.isEmpty else { return nil }
            let number = slots[slot(of: bytes)]
            return number < 0 ? nil : number
        }
    }

    /// A text as a string.
    subscript(number: Int32) -> String {
        withBytes(of: number) { String(decoding: $0, as: UTF8.self) }
    }

    /// The size of a text in bytes.
    func size(of number: Int32) -> Int {
        let range = range(of: number)
        return range.count
    }

    /// Returns `true` if a text begins with bytes.
    func hasPrefix(_ number: Int32, _ prefix: [UInt8]) -> Bool {
        let range = range(of: number)
        return range.count >= prefix.count && bytes[range.lowerBound..<range.lowerBound + prefix.count] == prefix[...]
    }

    private func withBytes<Value>(of number: Int32, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Value) -> Value {
        let range = range(of: number)
        return bytes.withUnsafeBufferPointer { body($0[range]) }
    }

    private func range(of number: Int32) -> Range<Int> {
        let place = Int(number)
        return (place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])
    }

    private mutating func number(of text: UnsafeBufferPointer<UInt8>) -> Int32 {
        if (ends.count + 1) * 4 > slots.count * 3 { grow() }
        let slot = slot(of: text)
        if slots[slot] >= 0 { return slots[slot] }
        let number = Int32(ends.count)
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
        slots[slot] = number
        return number
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: max(64, slots.count * 2))
        for number in 0..<Int32(ends.count) {
            let range = range(of: number)
            let slot = bytes.withUnsafeBufferPointer { all in
                // No two texts are equal, so that only a free slot ends the search.
                var slot = Self.hash(UnsafeBufferPointer(rebasing: all[range])) & (slots.count - 1)
                while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
                return slot
            }
            slots[slot] = number
        }
    }

    /// The slot of a text: its own, or the free one where it belongs.
    private func slot(of text: UnsafeBufferPointer<UInt8>) -> Int {
        var slot = Self.hash(text) & (slots.count - 1)
        while slots[slot] >= 0 {
            let range = range(of: slots[slot])
            if range.count == text.count, bytes[range].elementsEqual(text) { return slot }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        // The standard hasher, so that nobody can make texts that meet.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        return hasher.finalize() & .max
    }
}
