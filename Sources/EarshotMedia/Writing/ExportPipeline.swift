import EarshotCore
import Foundation

/// One export from begin to end, on the caller's thread.
enum ExportPipeline {
    /// Told when the work begins: where on the asset's timeline, how much there is, and when that is on a steady clock.
    typealias Began = (MediaTime, MediaTime?, MediaTime) -> Void
    /// Told what has been converted: frames, bytes, the end on the asset's timeline, and when that is.
    typealias Converted = (Int, Int, MediaTime, MediaTime) -> Void

    /// The time on a steady clock.
    static var now: MediaTime {
        MediaTime(value: Int64(clamping: DispatchTime.now().uptimeNanoseconds), timescale: 1_000_000_000)
    }

    /// The resolved settings, and the open decoder.
    struct Prepared {
        let plan: ExportPlan
        let encoder: EncoderSettings
        let metadata: CarriedMetadata
        let decoder: AudioDecoder?
    }

    /// Opens the asset and decides.
    static func plan(
        _ url: URL,
        _ settings: ExportSettings,
        type: FileType,
        tags: TagTransfer?,
        name: String,
        _ cancellation: Cancellation
    ) throws(EarshotError) -> Prepared {
        let asset = try Asset.loadBlocking(url, cancellation: cancellation)
        let metadata = (settings.keepsMetadata ? CarriedMetadata(of: asset, transfer: tags) : .nothing)
            .ending(at: settings.range?.upperBound)
        var options = AssetReader.Options()
        (options.stream, options.range, options.channels) = (settings.stream, settings.range, settings.channels)
        var decoder = try AudioDecoder(exact: url, options: options, cancellation: cancellation)
        guard let stream = asset.streams.first(where: { $0.index == decoder.streamIndex }) else {
            throw EarshotError(.noAudioStream, "\(url.path) has no sound: choose a file with sound.")
        }
        let planner = ExportPlanner(
            asset: asset,
            stream: stream,
            source: decoder.sourceFacts,
            settings: settings,
            type: type,
            name: name
        )
        let (plan, encoder, fitted) = try planner.plan(metadata: metadata)
        guard plan.encoding != .passthrough else {
            return Prepared(plan: plan, encoder: encoder, metadata: fitted, decoder: nil)
        }
        if plan.sampleRate != decoder.format.sampleRate {
            options.sampleRate = plan.sampleRate
            decoder = try AudioDecoder(exact: url, options: options, cancellation: cancellation)
        }
        return Prepared(plan: plan, encoder: encoder, metadata: fitted, decoder: decoder)
    }

    /// The file types that can hold an asset unchanged except for its encoding.
    static func fileTypes(for url: URL, _ cancellation: Cancellation) throws(EarshotError) -> [FileType] {
        let asset = try Asset.loadBlocking(url, cancellation: cancellation)
        let decoder = try AudioDecoder(exact: url, options: .init(), cancellation: cancellation)
        guard let stream = asset.streams.first(where: { $0.index == decoder.streamIndex }) else { return [] }
        return FileType.allCases.filter { type in
            let planner = ExportPlanner(
                asset: asset,
                stream: stream,
                source: decoder.sourceFacts,
                settings: ExportSettings(),
                type: type,
                name: url.path
            )
            return (try? planner.plan(metadata: .nothing)) != nil
        }
    }

    /// Exports.
    static func run(
        _ url: URL,
        _ settings: ExportSettings,
        to destination: AudioStreamWriter.Destination,
        type: FileType,
        tags: TagTransfer?,
        _ cancellation: Cancellation,
        began: Began,
        converted: Converted
    ) throws(EarshotError) -> WrittenFile {
        let prepared = try plan(url, settings, type: type, tags: tags, name: destination.name, cancellation)
        let start = settings.range.map { max($0.lowerBound, .zero) } ?? .zero
        let duration = prepared.plan.duration
        began(start, duration.isNumeric ? duration : nil, now)
        guard let decoder = prepared.decoder else {
            let copier = try PacketCopier(
                url,
                stream: settings.stream,
                range: settings.range,
                to: destination,
                type: type,
                metadata: prepared.metadata,
                cancellation: cancellation
            )
            return try copier.run { converted(0, $0, $1, now) }
        }
        let writer = try AudioStreamWriter(
            destination,
            type: type,
            settings: prepared.encoder,
            start: start,
            metadata: prepared.metadata,
            limitsSilence: true
        )
        while let block = try decoder.nextDecoded() {
            try writer.append(block)
            converted(block.frameCount, block.samples.count * block.samples.kind.byteCount, block.endTime, now)
        }
        if cancellation.isCancelled { throw Demuxer.cancelled(destination.name) }
        var file = try writer.finish()
        file.durationMismatch = decoder.progress.durationMismatch
        return file
    }
}
