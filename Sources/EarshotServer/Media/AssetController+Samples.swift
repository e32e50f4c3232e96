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

    /// The greatest first frame that may be requested: more than any file has.
    private static let latestFrame = 1 << 48

    private func samples(_ context: RequestContext) async throws -> Response {
        let media = try access.service()
        let id = try context.assetID()
        let start = Int64(try context.number("start", 0...Self.latestFrame, default: 0))
        // `length` is required, so its default of 0 is refused below.
        let length = Int64(try context.number("length", 1...ServiceAPI.samplesLimit, default: 0))
        guard length > 0 else {
            throw EarshotError(
                .requestInvalid,
                "The parameter length is missing: give the number of frames, as length=44100."
            )
        }
        let rate = try context.number("rate", 1_000...768_000, default: 0)
        let channels = try context.number("channels", 1...8, default: 0)
        let format = try context.text("format", upTo: 20)
        if let format, AudioFormat.SampleType(rawValue: format) == nil {
            throw EarshotError(.requestInvalid, "format is \"\(format)\": say int16 or float32.")
        }
        let request = SampleRequest(
            start: start,
            length: length,
            rate: rate > 0 ? rate : nil,
            channels: channels > 0 ? channels : nil,
            format: format
        )
        let place = try await media.place(id)
        let held = try media.places.enter(context.identity.name)
        let file = try await context.untilSenderLeaves { try await media.samples(request, of: place) }
        let (size, bytes) = try await BlockingWork.run { () throws(EarshotError) in
            (try file.size(), try file.read(FileHead.limit, at: 0))
        }
        guard size > 0 else {
            throw HTTPFailure(
                EarshotError(
                    .requestInvalid,
                    "The file has no frame \(start), as it ends before: give an earlier start."
                ),
                status: .rangeNotSatisfiable
            )
        }
        let (head, begin) = try FileHead.read(SampleRequest.Head.self, bytes)
        return answer(head, file, begin..<max(begin, size), held)
    }

    /// The number of bytes that are read and sent at once.
    private static let pieceSize = 256 << 10

    private func answer(
        _ head: SampleRequest.Head,
        _ file: RawFile,
        _ range: Range<Int>,
        _ held: StreamSlots.Place
    ) -> Response {
        var headers: HTTPFields = [.contentType: ServiceAPI.samplesType]
        for (name, value) in [
            (ServiceAPI.sampleRateField, String(head.sampleRate)),
            (ServiceAPI.channelsField, String(head.channels)),
            (ServiceAPI.sampleFormatField, head.format),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                defer { withExtendedLifetime(held) {} }
                for place in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
                    let count = min(Self.pieceSize, range.upperBound - place)
                    let bytes = try await BlockingWork.run { () throws(EarshotError) in
                        try file.read(count, at: place)
                    }
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
                try await writer.finish(nil)
            }
        )
    }
}
