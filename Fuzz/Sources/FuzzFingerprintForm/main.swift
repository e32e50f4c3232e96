// What clients of AcoustID's protocol may send, of arbitrary bytes: bodies with gzip, and forms with numbered entries and
// compressed fingerprints in them. Each is read or refused with its own code; what was read can be sent again and is read alike.

import EarshotAPI
import EarshotCore
import EarshotFingerprints
import Foundation
import LibFuzzer

let limit = 32 << 10

/// The bytes of a stream; nothing for what is none.
func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
    do throws(EarshotError) {
        let content = try CompressedBody.unpacked(bytes, limit: limit)
        precondition(content.count <= limit)
        return content
    } catch {
        precondition(error.code == .requestInvalid || error.code == .uploadTooLarge)
        return nil
    }
}

/// Bytes as zlib without compression, which any reader takes: what comes of it is known.
func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(4_000)
        rest = rest.dropFirst(4_000)
        let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
        stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    var (first, second) = (UInt32(1), UInt32(0))
    for byte in bytes {
        first = (first + UInt32(byte)) % 65_521
        second = (second + first) % 65_521
    }
    return stream + [UInt8(second >> 8), UInt8(second & 255), UInt8(first >> 8), UInt8(first & 255)]
}

func read(_ text: String) -> FormParameters? {
    var form = FormParameters()
    do throws(EarshotError) {
        try form.add(text)
        return form
    } catch {
        precondition(error.code == .uploadTooLarge)
        precondition(form.names.map { form.all($0).count }.reduce(0, +) == FormParameters.mostParameters)
        return nil
    }
}

func escaped(_ text: String) -> String { text.utf8.map { "%\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined() }

func form(_ bytes: [UInt8]) {
    guard let form = read(String(decoding: bytes, as: UTF8.self)) else { return }
    // Every byte as an escape says the same.
    let pairs = form.names.flatMap { name in form.all(name).map { "\(escaped(name))=\(escaped($0))" } }
    precondition(read(pairs.joined(separator: "&")) == form)
    for name in form.names {
        _ = form.integer(name)
        precondition(form[name] == nil || form[name] == form.all(name).first)
    }
    let suffixes = form.suffixes(of: "fingerprint", "trackid")
    precondition(Set(suffixes).count == suffixes.count)
    let numbers = suffixes.map { $0.isEmpty ? -1 : Int($0.dropFirst()) ?? -2 }
    precondition(numbers.allSatisfy { $0 >= -1 } && numbers == numbers.sorted())
    for suffix in suffixes {
        let seconds = Int64(clamping: form.integer("duration" + suffix) ?? 0)
        guard (1...32_767).contains(seconds), let text = form["fingerprint" + suffix] else { continue }
        let duration = MediaTime(value: seconds, timescale: 1)
        guard let fingerprint = try? FileFingerprint(text: text, duration: duration) else { continue }
        precondition((try? FileFingerprint(text: fingerprint.text, duration: duration)) == fingerprint)
        precondition((0...1).contains(fingerprint.similarity(to: fingerprint).score))
    }
}

fuzz { bytes in
    let rest = Array(bytes.dropFirst())
    switch (bytes.first ?? 0) % 3 {
    case 0: if let content = unpacked(rest) { form(content) }
    case 1:
        guard rest.count <= limit else { return }
        precondition(unpacked(stored(rest)) == rest)
        // Cut anywhere it is none.
        let cut = stored(rest).dropLast(1 + rest.count % 5)
        precondition(unpacked(Array(cut)) == nil)
    default: form(rest)
    }
}
