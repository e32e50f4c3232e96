import EarshotSignatures

@testable import EarshotCatalogs

/// The index of a catalog file, read whole by the words of the format page: bit by bit, with nothing of the program's own
/// reader.
struct IndexReading {
    private(set) var postings: [Posting] = []
    /// The first posting of each block, by its number in ``postings``.
    private(set) var blockStarts: [Int] = []
    /// Numbers that stand behind an escape.
    private(set) var escapes = 0
    private let bytes: [UInt8]
    private var position = 0

    init(_ image: CatalogImage) {
        bytes = image.sections[8] ?? []
        let keys = image.numbers(5)
        let offsets = image.numbers(7)
        var unitBits = 1
        while (image.frameCount / 4) >> unitBits > 0 { unitBits += 1 }
        for block in keys.indices {
            position = offsets[block] * 8
            blockStarts.append(postings.count)
            let (gaps, steps) = (read(5), read(5))
            var posting = Posting(key: UInt32(keys[block]), unit: UInt32(read(unitBits)))
            postings.append(posting)
            while postings.count < image.postingCount, postings.count % 32 != 0 {
                let gap = rice(gaps)
                posting.key += UInt32(gap)
                posting.unit = gap == 0 ? posting.unit + UInt32(rice(steps)) : UInt32(read(unitBits))
                postings.append(posting)
            }
        }
    }

    private mutating func read(_ width: Int) -> Int {
        var number = 0
        for bit in 0..<width {
            number |= Int(bytes[position / 8] >> UInt8(position % 8) & 1) << bit
            position += 1
        }
        return number
    }

    private mutating func rice(_ parameter: Int) -> Int {
        var quotient = 0
        while quotient < 24 {
            if read(1) == 1 { return quotient << parameter | read(parameter) }
            quotient += 1
        }
        escapes += 1
        return read(32)
    }
}

extension IndexReading {
    /// The postings that a run of landmarks has by the words of the format page.
    static func postings(of landmarks: [Landmark], firstFrame: Int) -> [Posting] {
        func rounded(_ value: Int, _ cell: Int) -> Int { Int((Double(value) / Double(cell) + 0.5).rounded(.down)) }
        let indexed = landmarks.filter { $0.tier < 3 }
        var found: [Posting] = []
        for (index, anchor) in indexed.enumerated() {
            let targets = indexed[(index + 1)...].filter { target in
                (12...508).contains(Int(target.time) - Int(anchor.time))
                    && abs(Int(target.frequency) - Int(anchor.frequency)) < 508
            }.prefix(3)
            for (second, third) in zip(targets, targets.dropFirst()) {
                let delay = rounded(Int(second.time) - Int(anchor.time), 8)
                guard (2...63).contains(delay) else { continue }
                let fields = [
                    (Int(anchor.frequency) / 32, 24),
                    (64 + rounded(Int(second.frequency) - Int(anchor.frequency), 8), 17),
                    (delay, 11),
                    (32 + rounded(Int(third.frequency) - Int(anchor.frequency), 32), 5),
                    (rounded(Int(third.time) - Int(anchor.time), 32), 0),
                ]
                let key = fields.reduce(0) { $0 | $1.0 << $1.1 }
                found.append(Posting(key: UInt32(key), unit: UInt32((firstFrame + Int(anchor.time) / 8) / 4)))
            }
        }
        return found
    }
}
