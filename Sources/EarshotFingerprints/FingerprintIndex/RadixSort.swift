/// Sorts whole numbers by their digits of 12 bits, lowest first: several times as fast as comparing for tens of millions.
enum RadixSort {
    private static let digitBits = 12

    /// Sorts numbers of which only the lowest bits are used.
    static func sort(_ numbers: inout [UInt64], bits: Int) {
        guard numbers.count > 1 << 12 else { return numbers.sort() }
        var other = [UInt64](repeating: 0, count: numbers.count)
        for shift in stride(from: 0, to: bits, by: digitBits) {
            var places = [Int](repeating: 0, count: 1 << digitBits + 1)
            for number in numbers { places[digit(number, shift) + 1] += 1 }
            for index in 1..<places.count { places[index] += places[index - 1] }
            numbers.withUnsafeBufferPointer { from in
                other.withUnsafeMutableBufferPointer { to in
                    places.withUnsafeMutableBufferPointer { places in
                        for number in from {
                            let digit = digit(number, shift)
                            to[places[digit]] = number
                            places[digit] += 1
                        }
                    }
                }
            }
            swap(&numbers, &other)
        }
    }

    @inline(__always)
    private static func digit(_ number: UInt64, _ shift: Int) -> Int {
        Int(truncatingIfNeeded: number >> UInt64(shift)) & (1 << digitBits - 1)
    }
}
