import BenchmarkSupport
import Earshot
import EarshotMedia
import Foundation

/// From samples, from files, and to bytes.
struct SignatureBenchmarks {
    let audio: [String]

    func run(_ runner: Runner) throws {
        let seconds = 60.0
        for (rate, channels) in [(16_000, 1), (44_100, 1), (44_100, 2), (48_000, 2)] {
            let name = "front end, \(rate) Hz, \(channels) ch, made-up music"
            guard runner.wants(name) else { continue }
            let buffers = Self.music(seconds: seconds, rate: rate, channels: channels)
            try runner.measure(name, amount: seconds, unit: "s") {
                _ = try Self.signature(of: buffers)
            }
        }
        for path in audio { try run(path, runner) }
        guard runner.wants("signature, encode") || runner.wants("signature, decode") else { return }
        let signature = try Self.signature(of: Self.music(seconds: 600, rate: 16_000, channels: 1))
        let data = signature.data
        runner.measure("signature, encode", amount: 600, unit: "s") { _ = signature.data }
        try runner.measure("signature, decode", amount: 600, unit: "s") {
            _ = try Signature(data: data)
        }
    }

    private func run(_ path: String, _ runner: Runner) throws {
        let url = URL(fileURLWithPath: path)
        let kind = url.pathExtension
        var buffers: [AudioBuffer] = []
        let decoder = try AudioDecoder(url)
        while let block = try decoder.next() { buffers.append(block.buffer) }
        let seconds = buffers.reduce(0) { $0 + $1.duration.seconds }
        try runner.measure("decode, \(kind)", amount: seconds, unit: "s") {
            let decoder = try AudioDecoder(url)
            while try decoder.next() != nil {}
        }
        try runner.measure("front end, decoded \(kind)", amount: seconds, unit: "s") {
            _ = try Self.signature(of: buffers)
        }
        try runner.measure("decode and front end, \(kind)", amount: seconds, unit: "s") {
            _ = try Recording.signature(of: url)
        }
    }

    private static func signature(of buffers: [AudioBuffer]) throws -> Signature {
        var generator = SignatureGenerator()
        for buffer in buffers { try generator.append(buffer) }
        return generator.signature()
    }

    /// Notes of three partials over soft noise, four a second: as many peaks as music has.
    private static func music(seconds: Double, rate: Int, channels: Int) -> [AudioBuffer] {
        var random = SeededGenerator(seed: 7)
        let count = Int(seconds * Double(rate))
        var samples = [Float](repeating: 0, count: count)
        for start in stride(from: 0, to: count, by: rate / 8) {
            let pitch = 110 * exp2(Double(random.integer(in: 0..<48)) / 12)
            for index in start..<min(count, start + rate / 2) {
                let time = Double(index - start) / Double(rate)
                var value = 0.0
                for partial in 1...3 { value += sin(2 * .pi * pitch * Double(partial) * time) / Double(partial) }
                samples[index] += Float(value * exp(-6 * time) * 0.1)
            }
        }
        for index in samples.indices { samples[index] += Float(random.unit() - 0.5) * 0.01 }
        let block = 16_384
        return stride(from: 0, to: count, by: block).map { start in
            let part = samples[start..<min(count, start + block)]
            let frames = channels == 1 ? Array(part) : part.flatMap { [Float](repeating: $0, count: channels) }
            return AudioBuffer(frames, sampleRate: rate, channelCount: channels)
        }
    }
}
