public import EarshotCore
import Foundation

extension AudioMix {
    /// Mixes all audio tracks of an asset, each at its own level.
    ///
    /// - Parameters:
    ///   - asset: The asset; its address is opened anew for each track.
    ///   - streams: The tracks, by ``AudioStream/index``; all if `nil`.
    ///   - options: In which rate and channels it comes out, which part of it, and in blocks of how many frames; those of the best
    ///     track where nothing is stated. The stream and the type of the samples are not looked at.
    /// - Throws: `noAudioStream`, `pipelineRefused` for tracks that the asset has not, and what opening a reader throws.
    public static func tracks(
        of asset: Asset,
        _ streams: [Int]? = nil,
        options: AssetReader.Options = .init()
    ) async throws(EarshotError) -> AudioMix {
        let chosen = streams ?? asset.streams.map(\.index)
        guard chosen.allSatisfy({ wanted in asset.streams.contains { $0.index == wanted } }) else {
            throw EarshotError(
                .pipelineRefused,
                "\(asset.url.lastPathComponent) has no audio track \(chosen.map(String.init).joined(separator: ", ")): choose of "
                    + asset.streams.map { String($0.index) }.joined(separator: ", ") + "."
            )
        }
        var options = options
        (options.stream, options.sampleType) = (.best, .float32)
        let best = try await AssetReader(asset, options: options)
        options.sampleRate = best.format.sampleRate
        options.channels = .count(best.format.channelCount)
        var parts: [Part] = []
        for index in chosen {
            options.stream = .index(index)
            parts.append(Part(try await AssetReader(asset, options: options)))
        }
        return try AudioMix(parts, format: best.format, blockFrames: options.blockFrames)
    }
}
