import EarshotCore
import EarshotMedia
import Foundation

/// Everything a reader delivered, and the error at its end.
struct Recording {
    var blocks: [AudioBlock] = []
    var error: EarshotError?
    var format = AudioFormat(sampleRate: 1, channelCount: 1)

    /// Reads a file to its end.
    static func read(_ url: URL, options: AssetReader.Options = .init()) async throws -> Recording {
        let reader = try await AssetReader(url, options: options)
        var recording = Recording(format: reader.format)
        do {
            for try await block in reader { recording.blocks.append(block) }
        } catch let error as EarshotError {
            recording.error = error
        }
        return recording
    }

    /// The same without tasks.
    static func decode(
        _ url: URL,
        options: AssetReader.Options = .init(),
        cancellation: Cancellation = .init()
    ) throws -> Recording {
        let decoder = try AudioDecoder(url, options: options, cancellation: cancellation)
        var recording = Recording(format: decoder.format)
        do throws(EarshotError) {
            while let block = try decoder.next() { recording.blocks.append(block) }
        } catch {
            recording.error = error
        }
        return recording
    }

    var frameCount: Int { blocks.reduce(0) { $0 + $1.buffer.frameCount } }
    var start: MediaTime? { blocks.first?.time }
    var end: MediaTime? { blocks.last.map { $0.time + $0.buffer.duration } }

    /// One channel as floating point.
    func channel(_ index: Int) -> [Float] {
        blocks.flatMap { block -> [Float] in
            let count = block.buffer.channelCount
            let all: [Float] =
                switch block.buffer.samples {
                case .float32(let samples): samples
                case .int16(let samples): samples.map { Float($0) / 32768 }
                }
            return stride(from: index, to: all.count, by: count).map { all[$0] }
        }
    }

    /// All samples as they came.
    var interleaved: [Float] {
        blocks.flatMap { block -> [Float] in
            switch block.buffer.samples {
            case .float32(let samples): samples
            case .int16(let samples): samples.map { Float($0) / 32768 }
            }
        }
    }
}
