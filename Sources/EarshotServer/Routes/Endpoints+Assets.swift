import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotMedia
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Endpoints {
    // MARK: - Files of the media folders

    static var assets: [Endpoint] {
        [assetFacts, assetSamples, assetWaveform, assetAnalyses]
    }

    private static var assetFacts: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/assets/{id}",
            id: "asset",
            summary: "What a file of a media folder is: its duration, tracks and tags.",
            tag: "Media",
            access: .media,
            parameters: [.asset],
            answers: [
                Endpoint.Answer(
                    status: 200,
                    summary: "The file.",
                    type: "application/json",
                    schema: Schemas.reference("AssetRecord")
                ), .notFound, .failure(422, "It is no media, or damaged."),
            ],
            handler: { call in
                let media = try call.media()
                let place = try await media.place(call.assetID())
                let asset = try await media.work(on: place) { (url, cancellation) throws(EarshotError) in
                    try Asset.loadBlocking(url, cancellation: cancellation)
                }
                return try .json(AssetRecord(asset, at: place))
            }
        )
    }

    // MARK: - Samples

    private static var assetSamples: Endpoint {
        func number(_ name: String, _ range: ClosedRange<Int>, _ summary: String) -> Endpoint.Parameter {
            Endpoint.Parameter(
                name: name,
                schema: [
                    "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
                ],
                summary: summary
            )
        }
        var length = number("length", 1...ServiceAPI.samplesLimit, "How many frames at most.")
        length.isRequired = true
        return Endpoint(
            method: .get,
            path: "/v1/assets/{id}/samples",
            id: "samples",
            summary: """
                A run of the file's samples, interleaved, the lowest byte first, as the same run of the whole decoded file. Header \
                fields say of which rate, channels and format they are. Fewer frames come where the file ends.
                """,
            tag: "Media",
            access: .media,
            parameters: [
                .asset,
                number(
                    "start",
                    0...latestFrame,
                    "The first frame, of the asked rate where there is one, otherwise of the file's own; 0 where it is left out."
                ), length,
                number("rate", 1_000...768_000, "Frames a second; the file's own where it is left out."),
                number("channels", 1...8, "How many channels; the file's own where it is left out."),
                Endpoint.Parameter(
                    name: "format",
                    schema: [
                        "type": "string", "enum": .array(AudioFormat.SampleType.allCases.map { .string($0.rawValue) }),
                        "default": "float32",
                    ],
                    summary: "How a sample is kept."
                ),
            ],
            answers: [
                Endpoint.Answer(
                    status: 200,
                    summary: "The samples.",
                    type: ServiceAPI.samplesType,
                    schema: ["type": "string", "format": "binary"]
                ), .notFound, .failure(416, "The file ends before the first frame that was asked for."),
                .failure(422, "It is no media, or damaged."),
            ],
            handler: { try await samples($0) }
        )
    }

    /// The last frame that may be asked for: no file has so many.
    private static let latestFrame = 1 << 48

    private static func samples(_ call: Call) async throws -> Response {
        let media = try call.media()
        let id = try call.assetID()
        let start = Int64(try call.number("start", 0...latestFrame, default: 0))
        // Whoever leaves it out is to say how much.
        let length = Int64(try call.number("length", 1...ServiceAPI.samplesLimit, default: 0))
        guard length > 0 else {
            throw EarshotError(.requestInvalid, "How many frames are wanted is missing: say length=44100.")
        }
        var options = AssetReader.Options()
        let rate = try call.number("rate", 1_000...768_000, default: 0)
        let channels = try call.number("channels", 1...8, default: 0)
        if rate > 0 { options.sampleRate = rate }
        if channels > 0 { options.channels = try ExportRequest.channels(channels) }
        if let name = try call.text("format", upTo: 20) {
            guard let type = AudioFormat.SampleType(rawValue: name) else {
                throw EarshotError(.requestInvalid, "format is \"\(name)\": say int16 or float32.")
            }
            options.sampleType = type
        }
        let place = try await media.place(id)
        let held = try media.places.enter(call.identity.name)
        let reader = try await open(place, options, start..<start + length, media)
        var blocks = reader.makeAsyncIterator()
        let first: AudioBlock?
        do {
            first = try await blocks.next()
        } catch let error as EarshotError {
            throw place.told(error)
        }
        guard let first else {
            var response = Response.failure(
                EarshotError(.requestInvalid, "The file has no frame \(start): it ends before."),
                requestID: call.context.requestID,
                now: call.core.now()
            )
            response.status = .rangeNotSatisfiable
            return response
        }
        return answer(reader, first, start..<start + length, held)
    }

    /// Opens a file for a run of frames.
    private static func open(
        _ place: MediaRoots.Place,
        _ options: AssetReader.Options,
        _ frames: Range<Int64>,
        _ media: MediaService
    ) async throws(EarshotError) -> AssetReader {
        do throws(EarshotError) {
            return try await media.queue.perform { () async throws(EarshotError) in
                var options = options
                let rate: Int
                if let asked = options.sampleRate {
                    rate = asked
                } else {
                    rate = try await AssetReader(place.url, options: options).format.sampleRate
                }
                let scale = Int32(clamping: rate)
                options.range =
                    MediaTime(
                        value: frames.lowerBound,
                        timescale: scale
                    )..<MediaTime(value: frames.upperBound, timescale: scale)
                return try await AssetReader(place.url, options: options)
            }
        } catch {
            throw place.told(error)
        }
    }

    private static func answer(
        _ reader: AssetReader,
        _ first: AudioBlock,
        _ frames: Range<Int64>,
        _ held: StreamPlaces.Place
    ) -> Response {
        let format = reader.format
        var headers: HTTPFields = [.contentType: ServiceAPI.samplesType]
        for (name, value) in [
            (ServiceAPI.sampleRateField, String(format.sampleRate)),
            (ServiceAPI.channelsField, String(format.channelCount)),
            (ServiceAPI.sampleFormatField, format.sampleType.rawValue),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                defer { withExtendedLifetime(held) {} }
                // It goes on behind the first block.
                var blocks = reader.makeAsyncIterator()
                var slice = SampleSlice(
                    start: frames.lowerBound,
                    length: frames.upperBound - frames.lowerBound,
                    format: format
                )
                slice.append(first)
                while !slice.isComplete {
                    while let bytes = slice.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
                    // A failure breaks the answer off, so that nobody takes it for the whole.
                    guard !slice.isComplete, let block = try await blocks.next() else { break }
                    slice.append(block)
                }
                reader.cancel()
                try await writer.finish(nil)
            }
        )
    }

    // MARK: - Waveform

    private static let mostBuckets = 1 << 19

    private static var assetWaveform: Endpoint {
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
            access: .media,
            parameters: [
                .asset,
                Endpoint.Parameter(
                    name: "buckets",
                    schema: ["type": "integer", "minimum": 1, "maximum": .integer(mostBuckets)],
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
            answers: [
                Endpoint.Answer(
                    status: 200,
                    summary: "The waveform.",
                    type: "application/json",
                    schema: Schemas.reference("Waveform")
                ),
                Endpoint.Answer(
                    status: 200,
                    summary: "The waveform.",
                    type: ServiceAPI.waveformType,
                    schema: ["type": "string", "format": "binary"]
                ),
                Endpoint.Answer(status: 304, summary: "Nothing has changed since If-None-Match."), .notFound,
                .failure(422, "It is no media, or damaged."),
            ],
            handler: { try await waveform($0) }
        )
    }

    private static func waveform(_ call: Call) async throws -> Response {
        let media = try call.media()
        let id = try call.assetID()
        let buckets = try call.number("buckets", 1...mostBuckets, default: 0)
        let asked = try call.number("samplesPerPixel", 16...16_777_216, default: 0)
        guard buckets == 0 || asked == 0 else {
            throw EarshotError(
                .requestInvalid,
                "buckets and samplesPerPixel both say how long a run is: give one of them."
            )
        }
        guard let resolution = Waveform.Resolution(rawValue: try call.number("bits", 8...16, default: 8)) else {
            throw EarshotError(.requestInvalid, "bits is to be 8 or 16.")
        }
        let isSplit = try call.flag("channels")
        let place = try await media.place(id)
        let isData = call.request.headers[values: .accept].contains { field in
            [ServiceAPI.waveformType, "application/octet-stream"].contains { field.lowercased().contains($0) }
        }
        let tag =
            "\"\(place.stamp.replacing(" ", with: "-"))-\(buckets)-\(asked)-\(resolution.rawValue)-\(isSplit)-\(isData)\""
        let fields: HTTPFields = [.eTag: tag, .vary: "Accept", .cacheControl: "private, no-cache"]
        if call.request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: fields) }
        // Coarser ones of a whole number of runs are made of a finer one that may be there already.
        let base = asked > 0 && asked % 256 != 0 ? asked : 256
        let whole = try await media.waveform(of: place, frames: base)
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

    // MARK: - Analyses

    private static var assetAnalyses: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/assets/{id}/analyses",
            id: "assetAnalyses",
            summary: "What is known of a file by its analyses, as far as they were made of the file as it is now.",
            tag: "Media",
            access: .media,
            parameters: [.asset],
            answers: [
                Endpoint.Answer(
                    status: 200,
                    summary: "What came of each analysis.",
                    type: "application/json",
                    schema: Schemas.reference("AssetAnalyses")
                ), .notFound,
            ],
            handler: { call in
                let media = try call.media()
                return try .json(try await media.analyses.results(of: try await media.place(call.assetID())))
            }
        )
    }
}

extension Endpoint.Parameter {
    /// A file of a media folder.
    fileprivate static var asset: Endpoint.Parameter {
        Endpoint.Parameter(
            name: "id",
            place: .path,
            schema: ["type": "string", "minLength": 1, "maxLength": .integer(MediaPath.maximumSize)],
            summary:
                "The file: the name of a media folder and the path below it, with each slash as %2F: music%2FAlbum%2F01.flac.",
            isRequired: true
        )
    }
}

extension Call {
    /// What is done with media folders.
    ///
    /// - Throws: `entityNotFound` where there are none.
    func media() throws(EarshotError) -> MediaService {
        guard let media = core.media else {
            throw EarshotError(
                .entityNotFound,
                "This service serves no media: its operator can name folders with --media-root NAME=DIR."
            )
        }
        return media
    }

    /// The identifier of an asset in the path, with nothing escaped any more. It may be anything yet.
    func assetID() throws(EarshotError) -> String {
        guard let text = context.parameters.get("id"), text.utf8.count <= 3 * MediaPath.maximumSize,
            let decoded = text.removingPercentEncoding
        else { throw EarshotError(.requestInvalid, "The path has no valid identifier of an asset: write it in UTF-8.") }
        return decoded
    }
}

extension AssetRecord {
    /// A file as it goes over the wire.
    init(_ asset: Asset, at place: MediaRoots.Place) {
        self.init(
            id: place.id,
            size: place.size,
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
