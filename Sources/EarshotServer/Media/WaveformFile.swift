import EarshotAnalysis
import EarshotCore
import Foundation

/// Encodes a waveform for another process: a ``FileHead``, and then the lowest sample, the highest sample and the level of each run as
/// 32-bit floating-point numbers, little-endian.
enum WaveformFile {
    private struct Head: Codable {
        let sampleRate: Int
        let channelCount: Int
        let framesPerBucket: Int
        let frameCount: Int64
    }

    static func data(of waveform: Waveform) throws -> Data {
        let head = Head(
            sampleRate: waveform.sampleRate,
            channelCount: waveform.channelCount,
            framesPerBucket: waveform.framesPerBucket,
            frameCount: waveform.frameCount
        )
        var data = try FileHead.data(head)
        data.reserveCapacity(data.count + 12 * waveform.buckets.count)
        for bucket in waveform.buckets {
            for value in [bucket.minimum, bucket.maximum, bucket.rms] {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    /// - Throws: `internalError` for other bytes.
    static func waveform(_ data: Data) throws(EarshotError) -> Waveform {
        let (head, begin) = try FileHead.read(Head.self, [UInt8](data.prefix(FileHead.limit)))
        let values = [UInt8](data.dropFirst(begin)).withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { place in
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)))
            }
        }
        return Waveform(
            sampleRate: head.sampleRate,
            channelCount: head.channelCount,
            framesPerBucket: head.framesPerBucket,
            frameCount: head.frameCount,
            buckets: (0..<values.count / 3).map {
                WaveformBucket(minimum: values[3 * $0], maximum: values[3 * $0 + 1], rms: values[3 * $0 + 2])
            }
        )
    }
}

/// JSON that precedes other bytes: its size in four bytes, little-endian, and the JSON.
enum FileHead {
    /// The most bytes of a head.
    static let limit = 4_096

    static func data(_ head: some Encodable) throws -> Data {
        let json = try JSONEncoder().encode(head)
        return withUnsafeBytes(of: UInt32(json.count).littleEndian) { Data($0) } + json
    }

    /// Returns the head, and the number of bytes up to its end.
    ///
    /// - Throws: `internalError` for other bytes.
    static func read<Head: Decodable>(_ type: Head.Type, _ bytes: [UInt8]) throws(EarshotError) -> (Head, Int) {
        var reader = ByteReader(bytes)
        guard let size: UInt32 = reader.read(), size <= bytes.count - 4,
            let head = try? JSONDecoder().decode(type, from: Data(bytes[4..<4 + Int(size)]))
        else { throw EarshotError(.internalError, "The answer of a decoder could not be read.") }
        return (head, 4 + Int(size))
    }
}
