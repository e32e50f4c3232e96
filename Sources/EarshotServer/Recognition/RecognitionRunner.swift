import CoreMetrics
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation

/// Reads recordings from requests, and counts recognitions against the quotas of their senders.
struct RecognitionRunner: Sendable {
    let uploads: UploadReader
    let catalog: CatalogProvider
    let quota: QuotaMeter
    let metrics: MetricRegistry

    /// Returns the part of a recording that is used: the longest query of the catalog for a stream, 20 s for a file.
    private func limit(_ kind: RecognitionQuery.Kind) -> MediaTime {
        kind == .stream ? catalog.catalog.queryLimits.maximum : MediaTime(value: 20, timescale: 1)
    }

    private func kind(_ text: String?) throws(EarshotError) -> RecognitionQuery.Kind? {
        guard let text else { return nil }
        guard let kind = RecognitionQuery.Kind(rawValue: text) else {
            throw EarshotError(.requestInvalid, "kind is \"\(text.prefix(40))\": say stream or file.")
        }
        return kind
    }

    /// The longest part of a signature that is searched.
    private static let longest = MediaTime(value: 60, timescale: 1)

    /// Reads a recording, counts it, and has it recognized.
    ///
    /// A failure of the service does not count against the quota.
    func recognize<Value: Sendable>(
        _ context: RequestContext,
        _ work: @escaping @Sendable (RecognitionQuery, ContentPreferences) async throws(EarshotError) -> Value
    ) async throws -> (Value, RecognitionQuery.Kind) {
        // Invalid parameters are refused before the recording is decoded.
        let asked = try kind(try context.text("kind")) ?? .stream
        _ = try ContentPreferences(parameters: context.parameters)
        let canAddSpectrogram = try context.flag(ServiceAPI.moreEvidence)
        let isLive = try context.flag("live")
        return try await counting(1, context) {
            let upload = try await uploads.read(context, limit: limit(asked), isLive: isLive)
            // Fields of a form count like parameters, and come after them.
            let preferences = try ContentPreferences(parameters: context.parameters + upload.fields)
            let kind = try kind(upload.fields.last { $0.name == "kind" }?.value) ?? asked
            // A sent signature may last for hours, and all of it would be searched if nothing matches.
            var signature = upload.signature.slice(from: .zero, duration: Self.longest).signature
            if canAddSpectrogram, !signature.hasSpectrogram { signature = signature.withSpectrogramElsewhere() }
            return (try await work(RecognitionQuery(signature, kind: kind), preferences), kind)
        }
    }

    /// Reads a recording, and returns the signature of its first 20 s.
    func signature(_ context: RequestContext) async throws -> Signature {
        try await counting(1, context) {
            let limit = limit(.file)
            return try await uploads.read(context, limit: limit, isLive: false).signature.slice(
                from: .zero,
                duration: limit
            )
            .signature
        }
    }

    /// The errors that do not count against a quota: those of the service, the request to send the same recording
    /// again, and those found before decoding. A recording that was decoded without a result counts.
    private static let uncounted: Set<EarshotError.Code> = [
        .serviceBusy, .cancelled, .storeUnavailable, .searchIncomplete, .internalError, .moreEvidence,
        .requestInvalid, .mediaTypeUnsupported, .uploadTooLarge, .signatureInvalid, .writeFailed,
    ]

    /// Does work that counts as some recognitions of the sender, unless it fails with an ``uncounted`` error. It is canceled when the sender
    /// closes the connection, and then counts: otherwise a client could start any number and leave.
    ///
    /// - Throws: `quotaExceeded` if fewer recognitions are left; what the work throws.
    func counting<Value: Sendable>(
        _ recognitions: Int,
        _ context: RequestContext,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        var shares: [QuotaMeter.Share] = []
        if let client = context.identity.client {
            shares.append(QuotaMeter.Share(subject: QuotaMeter.subject(client: client.id), limit: client.quota))
            if let user = context.identity.user {
                shares.append(QuotaMeter.Share(subject: QuotaMeter.subject(user: user), limit: client.userQuota))
            }
        }
        try await quota.use(shares, count: recognitions, at: context.now)
        do {
            return try await context.untilSenderLeaves(work)
        } catch {
            let code = (error as? EarshotError)?.code
            let isAbandoned = context.senderHasLeft && (code == .cancelled || error is CancellationError)
            if !isAbandoned, code.map(Self.uncounted.contains) ?? true {
                quota.giveBack(shares, count: recognitions, at: context.now)
            }
            throw error
        }
    }

    /// Counts the outcome of a recognition in the metrics.
    func count(_ isEmpty: Bool, _ kind: String) {
        metrics.makeCounter(
            label: "earshot_recognitions",
            dimensions: [("outcome", isEmpty ? "nothing" : "match"), ("kind", kind)]
        ).increment(by: 1)
    }
}
