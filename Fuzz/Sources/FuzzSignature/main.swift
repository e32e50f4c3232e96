// Signature files of arbitrary bytes, with and without a check sum that fits: refused, or good for everything that can
// be done with a signature.

import EarshotCore
import EarshotSignatures
import Foundation
import LibFuzzer

func exercise(_ bytes: [UInt8]) {
    guard let signature = try? Signature(data: Data(bytes)) else { return }
    // Only the minor version and the check sum may differ from what is written again.
    precondition(signature.dataWithSpectrogram.dropFirst(12).dropLast(4).elementsEqual(bytes.dropFirst(12).dropLast(4)))
    let second = MediaTime(value: 1, timescale: 1)
    for slice in signature.slices(duration: second, stride: MediaTime(value: 7, timescale: 3)).prefix(50) {
        precondition(slice.signature.duration == second)
        guard let read = try? Signature(data: slice.signature.dataWithSpectrogram) else {
            preconditionFailure("a slice is unreadable")
        }
        precondition(read == slice.signature && read.hasSpectrogram == slice.signature.hasSpectrogram)
    }
    _ = signature.slice(from: signature.duration, duration: second)
    _ = signature.hashValue
}

fuzz { bytes in
    exercise(bytes)
    exercise(bytes + littleEndian(checksum(bytes)))
    // The head of a signature of each version in front, so that every input is one.
    for version in [1, 2, 3] as [UInt8] {
        let headed = Array("EARSHSIG".utf8) + [version, 0, 0, 0, 1, 0, 0, 0] + bytes
        exercise(headed + littleEndian(checksum(headed)))
    }
}
