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
    // MARK: - Samples

    var assetSamples: Endpoint {
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
            access: .right(.media),
            parameters: [
                .asset,
                number(
                    "start",
                    0...Self.latestFrame,
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
            responses: [
                Endpoint.Response(
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

    private func samples(_ context: RequestContext) async throws -> Response {
        let media = try access.service()
        let id = try context.assetID()
        let start = Int64(try context.number("start", 0...Self.latestFrame, default: 0))
        // Whoever leaves it out is to say how much.
        let length = Int64(try context.number("length", 1...ServiceAPI.samplesLimit, default: 0))
        guard length > 0 else {
            throw EarshotError(.requestInvalid, "How many frames are wanted is missing: say length=44100.")
        }
        var options = AssetReader.Options()
        let rate = try context.number("rate", 1_000...768_000, default: 0)
        let channels = try context.number("channels", 1...8, default: 0)
        if rate > 0 { options.sampleRate = rate }
        if channels > 0 { options.channels = try ExportRequest.channels(channels) }
        if let name = try context.text("format", upTo: 20) {
            guard let type = AudioFormat.SampleType(rawValue: name) else {
                throw EarshotError(.requestInvalid, "format is \"\(name)\": say int16 or float32.")
            }
            options.sampleType = type
        }
        let place = try await media.place(id)
        let held = try media.places.enter(context.identity.name)
        let reader = try await open(place, options, start..<start + length, media)
        var blocks = reader.makeAsyncIterator()
        let first: AudioBlock?
        do {
            first = try await blocks.next()
        } catch let error as EarshotError {
            throw place.told(error)
        }
        guard let first else {
            throw HTTPFailure(
                EarshotError(.requestInvalid, "The file has no frame \(start): it ends before."),
                status: .rangeNotSatisfiable
            )
        }
        return answer(reader, first, start..<start + length, held)
    }

    /// Opens a file for a run of frames.
    private func open(
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

    private func answer(
        _ reader: AssetReader,
        _ first: AudioBlock,
        _ frames: Range<Int64>,
        _ held: StreamSlots.Place
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
}
