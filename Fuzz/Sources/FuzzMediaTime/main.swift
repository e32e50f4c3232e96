// Times made of arbitrary bytes: no operation traps, and the order stays an order.

import EarshotCore
import LibFuzzer

fuzz { bytes in
    guard bytes.count >= 33 else { return }
    func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
    let first = MediaTime(value: number(at: 0), timescale: number(at: 8))
    let second = MediaTime(value: number(at: 12), timescale: number(at: 20))
    let fraction = Double(bitPattern: number(at: 24))
    let rounding = MediaTime.Rounding.allCases[Int(bytes[32]) % MediaTime.Rounding.allCases.count]

    let results = [
        first + second,
        first - second,
        first * second.value,
        first.scaled(byFraction: fraction),
        first.converted(toTimescale: second.timescale, rounding: rounding),
        MediaTime(seconds: fraction, preferredTimescale: first.timescale),
    ]
    _ = first.fraction(of: second)
    for time in results {
        _ = (time.label, time.description, time.seconds, time.hashValue)
        precondition([time < first, time == first, time > first].count(where: { $0 }) == 1)
    }
}
