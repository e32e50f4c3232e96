import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotRecognition
import EarshotMedia
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads files of the media folders.
struct AssetController: Controller {
    let access: MediaAccess

    var endpoints: [Endpoint] {
        [assetFacts, assetAudio, assetSamples, assetWaveform, assetAnalyses]
    }

    var assetFacts: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/assets/{id}",
            id: "asset",
            summary: "What a file of a media folder is: its duration, tracks and tags.",
            tag: "Media",
            access: .right(.media),
            parameters: [.asset],
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The file.",
                    type: "application/json",
                    schema: Schemas.reference("AssetRecord")
                ), .notFound, .failure(422, "It is no media, or damaged."),
            ],
            handler: { context in
                let media = try access.service()
                let place = try await media.place(context.assetID())
                var record = try await context.untilSenderLeaves {
                    try await media.value(AssetRecord.self, .record, of: place)
                }
                (record.id, record.size) = (place.id, place.size)
                return try .json(record)
            }
        )
    }

    // MARK: - Analyses

    var assetAnalyses: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/assets/{id}/analyses",
            id: "assetAnalyses",
            summary: "What is known of a file by its analyses, as far as they were made of the file as it is now.",
            tag: "Media",
            access: .right(.media),
            parameters: [.asset],
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "What came of each analysis.",
                    type: "application/json",
                    schema: Schemas.reference("AssetAnalyses")
                ), .notFound,
            ],
            handler: { context in
                let media = try access.service()
                return try .json(try await media.analyses.results(of: try await media.place(context.assetID())))
            }
        )
    }
}

extension AssetRecord {
    /// Creates the record of a file as it is sent, without its identifier and size.
    init(_ asset: Asset) {
        self.init(
            id: "",
            size: 0,
            format: asset.formatName,
            duration: Time(asset.duration),
            bitRate: asset.bitRate,
            tracks: asset.streams.map { stream in
                Track(
                    index: stream.index,
                    codec: stream.codec,
                    sampleRate: stream.sampleRate,
                    channels: stream.channelCount,
                    language: stream.language,
                    bitRate: stream.bitRate,
                    duration: Time(stream.duration),
                    isDefault: stream.isDefault
                )
            },
            tags: Dictionary(
                asset.tags.names.compactMap { name in asset.tags[name].map { (name, $0) } },
                uniquingKeysWith: { first, _ in first }
            ),
            chapters: asset.chapters.count,
            hasPicture: asset.artwork != nil,
            hasVideo: asset.hasVideo
        )
    }
}
