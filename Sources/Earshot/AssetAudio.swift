import EarshotCore
public import EarshotDSP
package import EarshotMedia
public import Foundation

/// The audio of a file at any position, as mono samples: for the reference of a `PositionRefiner`, or a recording of a
/// `RecordingAligner`.
///
/// The file is read forward; only a request before the last one, or with another sample rate, opens it again. Memory
/// holds the requested range and the block after it. The audio after the end of an incomplete file is silence.
public struct AssetAudio: ReferenceAudio {
    /// The address of the file.
    public let url: URL
    private let stream: AssetReader.StreamChoice
    /// Files of these formats are entered anywhere at no cost, so what is not wanted need not be decoded.
    private let isEntered: Bool
    private var reader: AssetReader?
    private var sampleRate = 0
    private var held: [Float] = []
    /// The frame of the first sample held.
    private var start = 0

    /// Seconds that are decoded rather than leapt over.
    private static let leap = 10

    /// Creates the audio of an asset. The file is opened at the first request.
    ///
    /// - Parameters:
    ///   - asset: The asset, whose address is opened.
    ///   - stream: The audio stream to read.
    public init(_ asset: Asset, stream: AssetReader.StreamChoice = .best) {
        url = asset.url
        self.stream = stream
        isEntered = ["wav", "w64", "aiff", "caf", "flac", "ogg"].contains(asset.formatName)
    }

    /// Returns the mono samples of a range of frames. Frames outside the file are silence.
    ///
    /// - Parameters:
    ///   - frames: The range of frames from the beginning of the file, counted at `sampleRate`.
    ///   - sampleRate: The sample rate of the samples, in hertz.
    /// - Throws: The errors of opening the file, and `cancelled`.
    public mutating func samples(_ frames: Range<Int>, sampleRate: Int) async throws -> [Float] {
        let first = max(0, frames.lowerBound)
        let end = start + held.count
        let isBehind = sampleRate != self.sampleRate || first < start
        if isBehind || isEntered && first > end + Self.leap * sampleRate {
            try await open(at: first, sampleRate: sampleRate)
        }
        drop(before: first)
        while let reader, start + held.count < frames.upperBound {
            let iterator = reader.makeAsyncIterator()
            guard let block = try await Self.next(iterator) else {
                self.reader = nil
                break
            }
            append(block)
            drop(before: first)
        }
        let inside = frames.clamped(to: start..<start + held.count)
        guard !inside.isEmpty else { return [Float](repeating: 0, count: frames.count) }
        return [Float](repeating: 0, count: inside.lowerBound - frames.lowerBound)
            + held[inside.lowerBound - start..<inside.upperBound - start]
            + [Float](repeating: 0, count: frames.upperBound - inside.upperBound)
    }

    private static func next(_ iterator: AssetReader.Iterator) async throws -> AudioBlock? {
        var iterator = iterator
        do {
            return try await iterator.next()
        } catch let error as EarshotError where error.code == .readFailed {
            return nil
        }
    }

    private mutating func open(at frame: Int, sampleRate: Int) async throws {
        var options = AssetReader.Options(stream: stream, sampleRate: sampleRate, channels: .mono)
        if frame > 0 {
            options.range = MediaTime(frames: Int64(frame), sampleRate: sampleRate)..<MediaTime.positiveInfinity
        }
        reader = try await AssetReader(url, options: options)
        self.sampleRate = sampleRate
        held = []
        start = frame
    }

    private mutating func append(_ block: AudioBlock) {
        guard case .float32(let samples) = block.buffer.samples else { return }
        let place = Int(clamping: block.time.converted(toTimescale: Int32(clamping: sampleRate)).value)
        let end = start + held.count
        if held.isEmpty {
            start = max(start, place)
            held = Array(samples.dropFirst(start - place))
        } else {
            // A gap in the file is silence; one of hours is not worth the memory.
            let gap = place - end
            if gap > Self.leap * sampleRate {
                held = samples
                start = place
            } else {
                held += [Float](repeating: 0, count: max(0, gap))
                held += samples.dropFirst(max(0, -gap))
            }
        }
    }

    private mutating func drop(before frame: Int) {
        let count = min(max(0, frame - start), held.count)
        guard count > 0 else { return }
        held.removeFirst(count)
        start += count
    }
}
