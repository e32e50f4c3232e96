import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotRecognition
import EarshotMedia
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension AssetController {
    // MARK: - Waveform

    private static let mostBuckets = 1 << 19

    var assetWaveform: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/assets/{id}/waveform",
            id: "waveform",
            summary: """
                What the file looks like: the lowest and the highest sample and the level of each short run, as JSON that peaks.js \
                and audiowaveform read, or with Accept as their data file. buckets says how many runs there are at most, \
                samplesPerPixel how many frames one has; without either a run has 256. Of very long files a run has more.
                """,
            tag: "Media",
            access: .right(.media),
            parameters: [
                .asset,
                Endpoint.Parameter(
                    name: "buckets",
                    schema: ["type": "integer", "minimum": 1, "maximum": .integer(Self.mostBuckets)],
                    summary: "How many runs at most; not together with samplesPerPixel."
                ),
                Endpoint.Parameter(
                    name: "samplesPerPixel",
                    schema: ["type": "integer", "minimum": 16, "maximum": 16_777_216, "default": 256],
                    summary: "How many frames of the file one run has."
                ),
                Endpoint.Parameter(name: "channels", schema: Schemas.flag, summary: "1: each channel by itself."),
                Endpoint.Parameter(
                    name: "bits",
                    schema: ["type": "integer", "enum": [8, 16], "default": 8],
                    summary: "Bits of a value."
                ),
            ],
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The waveform.",
                    type: "application/json",
                    schema: Schemas.reference("Waveform")
                ),
                Endpoint.Response(
                    status: 200,
                    summary: "The waveform.",
                    type: ServiceAPI.waveformType,
                    schema: ["type": "string", "format": "binary"]
                ),
                Endpoint.Response(status: 304, summary: "Nothing has changed since If-None-Match."), .notFound,
                .failure(422, "It is no media, or damaged."),
            ],
            handler: { try await waveform($0) }
        )
    }

    private func waveform(_ context: RequestContext) async throws -> Response {
        let media = try access.service()
        let id = try context.assetID()
        let buckets = try context.number("buckets", 1...Self.mostBuckets, default: 0)
        let asked = try context.number("samplesPerPixel", 16...16_777_216, default: 0)
        guard buckets == 0 || asked == 0 else {
            throw EarshotError(
                .requestInvalid,
                "buckets and samplesPerPixel exclude each other: give one of them."
            )
        }
        guard let resolution = Waveform.Resolution(rawValue: try context.number("bits", 8...16, default: 8)) else {
            throw EarshotError(.requestInvalid, "The parameter bits is neither 8 nor 16: give one of them.")
        }
        let isSplit = try context.flag("channels")
        let place = try await media.place(id)
        let isData = context.request.headers[values: .accept].contains { field in
            [ServiceAPI.waveformType, "application/octet-stream"].contains { field.lowercased().contains($0) }
        }
        let tag =
            "\"\(place.stamp.replacing(" ", with: "-"))-\(buckets)-\(asked)-\(resolution.rawValue)-\(isSplit)-\(isData)\""
        let fields: HTTPFields = [.eTag: tag, .vary: "Accept", .cacheControl: "private, no-cache"]
        if context.request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: fields) }
        // Coarser waveforms whose runs are multiples of 256 frames are computed from that one, which may be cached.
        let base = asked > 0 && asked % 256 != 0 ? asked : 256
        let whole = try await context.untilSenderLeaves { try await media.waveform(of: place, frames: base) }
        let type = isData ? ServiceAPI.waveformType : "application/json"
        let data = try await media.queue.run { () throws(EarshotError) in
            let made = isSplit ? whole : whole.mono
            let factor = (asked + whole.framesPerBucket - 1) / whole.framesPerBucket
            let listed = buckets > 0 ? made.fitted(to: buckets) : made.coarser(by: factor)
            return isData ? Data(listed.dataFile(resolution)) : Data(try listed.json(resolution).utf8)
        }
        var response = Response.bytes(data, type: type)
        for field in fields { response.headers[field.name] = field.value }
        return response
    }
}
