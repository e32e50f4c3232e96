import EarshotCore
import EarshotFingerprints
import EarshotMusic
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The stores and limits that requests of AcoustID's protocol use.
struct AcoustIDServices: Sendable {
    let library: FingerprintLibrary
    let music: any MusicStore
    let accounts: any AccountStore
    let authenticator: Authenticator
    let users: UserRegistry
    let quota: QuotaMeter
    let queue: WorkQueue
    let requests: ConcurrencyLimiter
    /// The limit of requests a second of each client.
    let pace: RateLimiter
    /// The limit of requests a second of each address; `nil` for no limit.
    let addressPace: RateLimiter?
    let importer: FingerprintImporter
    let settings: ServiceSettings
    let now: @Sendable () -> Date
}

/// The endpoints of AcoustID's protocol. The OpenAPI description leaves them out; Docs/acoustid.md describes them.
struct AcoustIDController: Controller {
    typealias Handler = @Sendable (AcoustIDRequest) async throws -> JSONValue

    let services: AcoustIDServices

    private static let handlers: [(path: String, handler: Handler)] = [
        ("lookup", { try await AcoustIDLookup(request: $0).answer() }),
        ("submit", { try await AcoustIDSubmit(request: $0).answer() }),
        ("submission_status", { try await AcoustIDSubmit(request: $0).status() }),
        ("fingerprint", { try await AcoustIDDirectory(request: $0).fingerprint() }),
        ("track/list_by_mbid", { try await AcoustIDDirectory(request: $0).tracksByRecording() }),
        ("track/list_by_puid", { try AcoustIDDirectory(request: $0).tracksByPUID() }),
        ("user/lookup", { try await AcoustIDDirectory(request: $0).user() }),
        ("user/create_anonymous", { try await AcoustIDDirectory(request: $0).newAnonymousUser() }),
        ("user/create_musicbrainz", { try AcoustIDDirectory(request: $0).newMusicBrainzUser() }),
    ]

    private static let oldHandlers: [(path: String, handler: Handler)] = [
        ("lookup", { try await AcoustIDLookup(request: $0).answer() }),
        ("submit", { try await AcoustIDSubmit(request: $0).answer() }),
    ]

    var endpoints: [Endpoint] {
        endpoints(Self.handlers, .second, below: "/v2/") + endpoints(Self.oldHandlers, .first, below: "/") + [health]
    }

    private func endpoints(
        _ handlers: [(path: String, handler: Handler)],
        _ version: AcoustIDVersion,
        below path: String
    ) -> [Endpoint] {
        handlers.flatMap { name, handler in
            [HTTPRequest.Method.get, .post].map { method in
                endpoint(method, path + name) { context in
                    await answer(context.request, version, from: context.address, context.logger, handler)
                }
            }
        }
    }

    private var health: Endpoint {
        endpoint(.get, "/_health") { [library = services.library] _ in
            do throws(EarshotError) {
                _ = try await library.store.track(UUID())
                return Response.text("ok", type: "text/plain; charset=UTF-8")
            } catch {
                return Response.bytes(Data("failed".utf8), type: "text/plain; charset=UTF-8", .serviceUnavailable)
            }
        }
    }

    private func endpoint(
        _ method: HTTPRequest.Method,
        _ path: String,
        handler: @escaping Endpoint.Handler
    ) -> Endpoint {
        Endpoint(
            method: method,
            path: path,
            id: "acoustid \(method.rawValue) \(path)",
            summary: "A request of AcoustID's protocol.",
            tag: "AcoustID",
            access: .open,
            isDescribed: false,
            responses: [],
            handler: handler
        )
    }

    /// Returns the response to a request, also for failures.
    ///
    /// - Parameter address: The address of the sender.
    func answer(
        _ request: Request,
        _ version: AcoustIDVersion = .second,
        from address: String?,
        _ logger: Logger,
        _ handler: Handler
    ) async -> Response {
        // The usual format, until the one that the request names is known.
        var format = version.standardFormat
        let origin = RequestOrigin(address)
        do {
            // Before the body is read, so that requests without a client count too, and refusing one costs little. A format that only
            // the body names is therefore not known yet.
            if let refusal = refusal(origin) {
                format = version.format(try AcoustIDBody.query(request)) ?? format
                throw refusal
            }
            let form = try await AcoustIDBody.form(request, services.settings)
            let wanted = version.format(form)
            if let wanted { format = wanted }
            guard wanted != nil else { throw AcoustIDError.unknownFormat }
            let read = AcoustIDRequest(version: version, form: form, services: services, origin: origin)
            var value = try await handler(read)
            value["status"] = "ok"
            return format.response(value)
        } catch let error as AcoustIDError {
            return format.response(error)
        } catch let error as EarshotError {
            let told = AcoustIDError(error)
            if told.status.code >= 500 {
                logger.error(
                    "A request failed",
                    metadata: ["code": "\(error.code.rawValue)", "reason": "\(error)", "path": "\(request.uri.path)"]
                )
            }
            return format.response(told)
        } catch {
            logger.error("A request failed", metadata: ["reason": "\(error)", "path": "\(request.uri.path)"])
            return format.response(AcoustIDError.internalError)
        }
    }

    /// Returns the refusal of a request whose address has sent too many; `nil` if it has not. Loopback has no limit: it may be a proxy for
    /// everybody, and clients have limits of their own.
    private func refusal(_ origin: RequestOrigin) -> AcoustIDError? {
        guard !origin.isLoopback, let pace = services.addressPace, !pace.admits(origin.name, at: services.now()) else {
            return nil
        }
        return .tooManyRequests(pace.limit)
    }
}
