import CoreMetrics
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import Hummingbird
import Logging

/// All requests that the service answers, by what they are about.
enum Endpoints {
    /// Every one of them, in the order of the description.
    static let all: [Endpoint] =
        service + accounts + registrations + recognition + search + entities + content + coverArt + broadcasts + guide
        + bundles
        + albums
        + references + jobs + assets + exports + library + pieces + authors + applications + logins + piecePages + admin

    // MARK: - Recognition

    static var recognition: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/recognitions",
                id: "recognise",
                summary: """
                    Says what a recording is. The body is a signature, or audio in any format, or a form with a part named \
                    sample. Without a match the list is empty.
                    """,
                tag: "Recognition",
                access: .client,
                module: .music,
                parameters: [
                    Endpoint.Parameter(
                        name: "kind",
                        schema: ["type": "string", "enum": ["stream", "file"], "default": "stream"],
                        summary: "stream: the recording begins anywhere in a track; file: at its begin."
                    ),
                    Endpoint.Parameter(
                        name: "live",
                        schema: Schemas.flag,
                        summary: "1: answer as soon as enough has arrived, though more is on its way."
                    ),
                ] + Schemas.preferences(withSingle: true),
                body: Upload.body,
                isQueued: true,
                answers: [
                    .list("The matches, best first.")
                ] + Endpoint.Answer.uploadFailures,
                handler: { try await recognize($0) }
            )
        ]
    }

    /// How much of a recording is looked at: what a catalog takes at most of a stream, 20 seconds of a file.
    private static func limit(_ kind: RecognitionQuery.Kind, _ call: Call) -> MediaTime {
        kind == .stream ? call.core.catalog.catalog.queryLimits.maximum : MediaTime(value: 20, timescale: 1)
    }

    private static func kind(_ text: String?) throws(EarshotError) -> RecognitionQuery.Kind? {
        guard let text else { return nil }
        guard let kind = RecognitionQuery.Kind(rawValue: text) else {
            throw EarshotError(.requestInvalid, "kind is \"\(text.prefix(40))\": say stream or file.")
        }
        return kind
    }

    /// How much of a signature is looked at.
    private static let longest = MediaTime(value: 60, timescale: 1)

    /// Reads a recording, counts it, and has it recognized.
    ///
    /// What the service could not do is not counted.
    static func recognizing<Value: Sendable>(
        _ call: Call,
        _ work: (RecognitionQuery, ContentPreferences) async throws(EarshotError) -> Value
    ) async throws -> (Value, RecognitionQuery.Kind) {
        // What can be wrong with the question is looked at before its recording is decoded.
        let asked = try kind(try call.text("kind")) ?? .stream
        _ = try ContentPreferences(parameters: call.parameters)
        let upload = try await Upload.read(call, limit: limit(asked, call), isLive: try call.flag("live"))
        // Fields of a form count like parameters, and come after them.
        let preferences = try ContentPreferences(parameters: call.parameters + upload.fields)
        let kind = try kind(upload.fields.last { $0.name == "kind" }?.value) ?? asked
        // A signature may be of hours, and its whole length would be searched where nothing matches.
        let signature = upload.signature.slice(from: .zero, duration: longest).signature
        let value = try await counting(1, call) { () throws(EarshotError) in
            try await work(RecognitionQuery(signature, kind: kind), preferences)
        }
        return (value, kind)
    }

    /// Does work that counts as some recognitions of whoever asks; what the service could not do is not counted.
    ///
    /// - Throws: `quotaExceeded` where not as many are left; what the work throws.
    static func counting<Value: Sendable>(
        _ recognitions: Int,
        _ call: Call,
        _ work: () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        var shares: [QuotaMeter.Share] = []
        if let client = call.identity.client {
            shares.append(QuotaMeter.Share(subject: QuotaMeter.subject(client: client.id), limit: client.quota))
            if let user = call.identity.user {
                shares.append(QuotaMeter.Share(subject: QuotaMeter.subject(user: user), limit: client.userQuota))
            }
        }
        try await call.core.quota.use(shares, count: recognitions, at: call.core.now())
        do throws(EarshotError) {
            return try await work()
        } catch {
            if [.serviceBusy, .cancelled, .storeUnavailable, .internalError].contains(error.code) {
                call.core.quota.giveBack(shares, count: recognitions, at: call.core.now())
            }
            throw error
        }
    }

    static func count(_ isEmpty: Bool, _ kind: String, _ call: Call) {
        call.core.metrics.makeCounter(
            label: "earshot_recognitions",
            dimensions: [("outcome", isEmpty ? "nothing" : "match"), ("kind", kind)]
        ).increment(by: 1)
    }

    private static func recognize(_ call: Call) async throws -> Response {
        let service = call.core.service(for: call.identity, base: call.base)
        let (matches, kind) = try await recognizing(call) { query, preferences throws(EarshotError) in
            try await service.recognize(query, preferences)
        }
        if let user = call.identity.user, var match = matches.first {
            // Addresses expire, and the history does not: whoever wants the cover fetches the track.
            match.album.coverArt = nil
            match.artist.image = nil
            match.artist.biographyURL = nil
            match.album.reviewURL = nil
            do throws(EarshotError) {
                try await call.core.accounts.addHistory(
                    of: user,
                    date: call.core.now(),
                    kind: kind.rawValue,
                    match: match,
                    limit: call.core.settings.historyLimit
                )
            } catch {
                // The answer is known and is given: a full disk must not keep anybody from recognizing.
                call.context.logger.error("The history could not be written", metadata: ["reason": "\(error.message)"])
            }
        }
        count(matches.isEmpty, kind.rawValue, call)
        return try .json(MatchList(matches))
    }
}

extension Endpoint.Answer {
    /// A list of matches.
    static func list(_ summary: String) -> Endpoint.Answer {
        Endpoint.Answer(status: 200, summary: summary, type: "application/json", schema: Schemas.reference("MatchList"))
    }

    /// A failure.
    static func failure(_ status: Int, _ summary: String) -> Endpoint.Answer {
        Endpoint.Answer(
            status: status,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("Failure")
        )
    }

    /// What an upload may be refused for.
    static var uploadFailures: [Endpoint.Answer] {
        [
            .failure(408, "The upload took too long."),
            .failure(413, "The upload is too large."),
            .failure(415, "The type of content is not taken."),
            .failure(422, "There is nothing to recognize in the upload."),
            .failure(507, "There is no room for the upload."),
        ]
    }

    static var notFound: Endpoint.Answer { .failure(404, "There is nothing of this name.") }
}
