// Packages of pieces of arbitrary bytes, with and without check sums that fit: refused with a code of packages, or read; and what was
// read can be written, and is the same again. The same bytes as the name of a key: none ends the program, and what is read has a
// label that means the same.

import EarshotCore
import EarshotPieces
import Foundation
import LibFuzzer

// Made anew with every format: `FuzzPiece --seed FILE` writes a package for the fuzzer to begin with.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seed" {
    let wave = Array("RIFF....WAVEfmt ".utf8) + [UInt8](repeating: 0, count: 8)
    let sound = PackagedAudio(try AudioBundle(.wave, Data(wave)))
    let package = PiecePackage(
        draft: try PieceDraft(title: "A", length: 1, tempo: FixedTempo(120), tonality: .minor(.a)),
        author: "B",
        mix: sound,
        stems: [PieceStem(name: "s", sound: sound)],
        attachment: try AttachmentBundle(fileName: "c", bytes: Data([1]))
    )
    try PiecePackageWriter(package).write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
    exit(0)
}

let codes: Set<EarshotError.Code> = [
    .pieceInvalid, .stemMissing, .coverSizeInvalid, .attachmentTooLarge, .readFailed,
]

func exercise(_ bytes: [UInt8]) {
    do throws(EarshotError) {
        let package = try PiecePackageReader(Data(bytes)).package()
        let again = try PiecePackageReader(try PiecePackageWriter(package).bytes()).package()
        precondition(again == package)
    } catch {
        precondition(codes.contains(error.code), "\(error)")
    }
}

/// The same bytes with the check sums of all entries that are stored put right, in both headers.
func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    func number(_ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    guard bytes.count >= 22 else { return bytes }
    var place = number(bytes.count - 6, 4)
    while place + 46 <= bytes.count, bytes[place..<place + 4].elementsEqual([0x50, 0x4B, 1, 2]) {
        let (start, size) = (number(place + 42, 4), number(place + 20, 4))
        guard start + 30 <= bytes.count else { break }
        let data = start + 30 + number(start + 26, 2) + number(start + 28, 2)
        guard data <= bytes.count - size else { break }
        let sum = littleEndian(zipChecksum(bytes[data..<data + size]))
        bytes.replaceSubrange(place + 16..<place + 20, with: sum)
        bytes.replaceSubrange(start + 14..<start + 18, with: sum)
        place += 46 + number(place + 28, 2) + number(place + 30, 2) + number(place + 32, 2)
    }
    return bytes
}

func zipChecksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
        (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
}

fuzz { bytes in
    exercise(bytes)
    let whole = sealed(bytes)
    if whole != bytes { exercise(whole) }
    if let key = Tonality(name: String(decoding: bytes.prefix(40), as: UTF8.self)),
        case .tonal(let mask, let root) = key, mask.contains(root), ScaleKind(mask, root: root) != nil
    {
        precondition(Tonality(name: key.label) == key)
    }
}
