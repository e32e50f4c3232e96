import EarshotAPI
import EarshotCore
import EarshotMedia
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension AssetController {
    // MARK: - Audio

    var assetAudio: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/assets/{id}/audio",
            id: "assetAudio",
            summary: """
                The file for a player, or with Range a part of it: as it is where browsers play its kind, otherwise its sound as WAVE \
                of 16 bits and at most two channels, decoded as it is sent.
                """,
            tag: "Media",
            access: .right(.media),
            parameters: [
                .asset,
                Endpoint.Parameter(
                    name: "format",
                    schema: Schemas.choice(["wave"]),
                    summary: "wave: decode it even so, for a browser that does not play it."
                ),
            ],
            responses: Endpoint.Response.file(PlayableKind.types) + [
                .notFound, .failure(422, "It is no media, damaged, or too long to be sent as WAVE."),
            ],
            handler: { try await audio($0) }
        )
    }

    private func audio(_ context: RequestContext) async throws -> Response {
        let media = try access.service()
        let place = try await media.place(context.assetID())
        let format = try context.text("format", upTo: 20)
        if let format, format != "wave" {
            throw EarshotError(.requestInvalid, "format is \"\(format)\": say wave, or leave it out.")
        }
        let held = try media.places.enter(context.identity.name)
        let head = try await BlockingWork.run { () throws(EarshotError) in
            do throws(EarshotError) {
                return try RawFile(reading: place.url.path).read(PlayableKind.headSize, at: 0)
            } catch {
                throw place.told(error)
            }
        }
        var response: Response
        if format == nil, let kind = PlayableKind(head) {
            let headers = Self.limited(context.request.headers, of: Int(clamping: place.size), to: Self.mostAtOnce)
            response = try Response.file(place.url, type: kind.type, tag: tag(place, "file"), headers)
        } else {
            response = try await wave(place, media, held, context)
        }
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    /// The most bytes of one partial response. Players ask for the next part when they have played so far.
    private static let mostAtOnce = 4 << 20

    /// Returns the headers of a request with a range of at most `limit` bytes. Otherwise a paused player would keep its response open, and
    /// the service could not end.
    private static func limited(_ headers: HTTPFields, of size: Int, to limit: Int) -> HTTPFields {
        guard case .part(let range) = ByteRange(header: headers[.range], size: size), range.count > limit else {
            return headers
        }
        var headers = headers
        headers[.range] = "bytes=\(range.lowerBound)-\(range.lowerBound + limit - 1)"
        return headers
    }

    private func tag(_ place: MediaRoots.Place, _ form: String) -> String {
        "\"\(place.stamp.replacing(" ", with: "-"))-\(form)\""
    }

    /// Returns the audio of a file as WAVE, decoded run by run while it is sent.
    private func wave(
        _ place: MediaRoots.Place,
        _ media: MediaService,
        _ held: StreamSlots.Place,
        _ context: RequestContext
    ) async throws -> Response {
        let layout = try await context.untilSenderLeaves { try await WaveLayout.of(place, media) }
        let tag = tag(place, "wave")
        var headers = context.request.headers
        if case .part(let range) = ByteRange(header: headers[.range], size: layout.size) {
            headers = Self.limited(headers, of: layout.size, to: layout.runs(of: range).first?.count ?? 0)
        }
        if headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]) }
        var fields: HTTPFields = [.contentType: "audio/wav", .eTag: tag, .acceptRanges: "bytes"]
        var (status, range) = (HTTPResponse.Status.ok, 0..<layout.size)
        let isSame = headers[.ifRange] == nil || headers[.ifRange] == tag
        switch ByteRange(header: isSame ? headers[.range] : nil, size: layout.size) {
        case .whole: break
        case .part(let part):
            (status, range) = (.partialContent, part)
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(layout.size)"
        case .unsatisfiable:
            fields[.contentRange] = "bytes */\(layout.size)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
        fields[.contentLength] = String(range.count)
        // The body runs after the handler, without its task-local values: turns must still count for the sender.
        let owner = WorkOwner.current
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(contentLength: range.count) { [range] writer in
                defer { withExtendedLifetime(held) {} }
                for run in layout.runs(of: range) {
                    let bytes = try await WorkOwner.$current.withValue(owner) {
                        try await layout.bytes(of: run, in: place, media)
                    }
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
                try await writer.finish(nil)
            }
        )
    }
}

/// A kind of file that browsers play, detected by its first bytes, because names may be wrong.
enum PlayableKind: String, CaseIterable {
    case mp3, flac, ogg, wave, mp4

    /// The number of bytes that determine the format.
    static let headSize = 12

    /// The content types of all kinds.
    static var types: [String] { allCases.map(\.type) }

    init?(_ head: [UInt8]) {
        func has(_ text: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: text.utf8) }
        if has("fLaC") {
            self = .flac
        } else if has("OggS") {
            self = .ogg
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wave
        } else if has("ftyp", at: 4) {
            self = .mp4
        } else if has("ID3") || head.count > 1 && head[0] == 0xFF && head[1] & 0xE6 == 0xE2 {
            self = .mp3
        } else {
            return nil
        }
    }

    /// The content type.
    var type: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .flac: "audio/flac"
        case .ogg: "audio/ogg"
        case .wave: "audio/wav"
        case .mp4: "audio/mp4"
        }
    }
}
