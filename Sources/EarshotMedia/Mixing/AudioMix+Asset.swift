public import EarshotCore
import Foundation

extension AudioMix {
    /// Mixes audio tracks of an asset at their own levels.
    ///
    /// - Parameters:
    ///   - asset: The asset; its address is opened again for each track.
    ///   - streams: The tracks, by ``AudioStream/index``; `nil` for all.
    ///   - options: The sample rate, channels, range and block size of the mix. Default rate and channels: those of the
    ///     best track. Its stream and sample type are ignored.
    /// - Throws: `pipelineRefused` for tracks that the asset does not have, or for none; `noAudioStream`; the errors of
    ///   opening a reader.
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
