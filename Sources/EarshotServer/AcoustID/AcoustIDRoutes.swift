import EarshotCore
import EarshotFingerprints
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The paths of AcoustID's protocol. They are no part of the service's own description, which has what stands under `/v1`;
/// Docs/acoustid.md has these.
struct AcoustIDRoutes {
    typealias Handler = @Sendable (AcoustIDCall) async throws -> JSONValue

    let core: ServiceCore
    let library: FingerprintLibrary

    private static let handlers: [(path: String, handler: Handler)] = [
        ("lookup", { try await AcoustIDLookup(call: $0).answer() }),
        ("submit", { try await AcoustIDSubmit(call: $0).answer() }),
        ("submission_status", { try await AcoustIDSubmit(call: $0).status() }),
        ("fingerprint", { try await AcoustIDDirectory(call: $0).fingerprint() }),
        ("track/list_by_mbid", { try await AcoustIDDirectory(call: $0).tracksByRecording() }),
        ("track/list_by_puid", { try AcoustIDDirectory(call: $0).tracksByPUID() }),
        ("user/lookup", { try await AcoustIDDirectory(call: $0).user() }),
        ("user/create_anonymous", { try await AcoustIDDirectory(call: $0).newAnonymousUser() }),
        ("user/create_musicbrainz", { try AcoustIDDirectory(call: $0).newMusicBrainzUser() }),
    ]

    private static let oldHandlers: [(path: String, handler: Handler)] = [
        ("lookup", { try await AcoustIDLookup(call: $0).answer() }),
        ("submit", { try await AcoustIDSubmit(call: $0).answer() }),
    ]

    func add(to router: Router<ServiceRequestContext>) {
        add(Self.handlers, .second, below: "/v2/", to: router)
        add(Self.oldHandlers, .first, below: "/", to: router)
        router.get("/_health") { [self] _, _ in
            do throws(EarshotError) {
                _ = try await library.store.track(UUID())
                return Response.text("ok", type: "text/plain; charset=UTF-8")
            } catch {
                return Response.bytes(Data("failed".utf8), type: "text/plain; charset=UTF-8", .serviceUnavailable)
            }
        }
    }

    private func add(
        _ handlers: [(path: String, handler: Handler)],
        _ version: AcoustIDVersion,
        below path: String,
        to router: Router<ServiceRequestContext>
    ) {
        for (name, handler) in handlers {
            for method in [HTTPRequest.Method.get, .post] {
                router.on(RouterPath(path + name), method: method) { [self] request, context in
                    await answer(request, version, from: context.remoteAddress?.ipAddress, context.logger, handler)
                }
            }
        }
    }

    /// Answers a request, failures too.
    ///
    /// - Parameter address: Where it comes from.
    func answer(
        _ request: Request,
        _ version: AcoustIDVersion = .second,
        from address: String?,
        _ logger: Logger,
        _ handler: Handler
    ) async -> Response {
        // As most expect it until it is known what is wanted.
        var format = version.standardFormat
        let origin = RequestOrigin(address)
        // Before anything is read, so that requests count that name no client, or one that there is not.
        let refusal = refusal(origin)
        do {
            let form = try await AcoustIDBody.form(request, core.settings)
            let wanted = version.format(form)
            if let wanted { format = wanted }
            if let refusal { throw refusal }
            guard wanted != nil else { throw AcoustIDError.unknownFormat }
            let call = AcoustIDCall(
                version: version,
                form: form,
                core: core,
                library: library,
                isSecure: core.settings.certificateFile != nil,
                origin: origin
            )
            var value = try await handler(call)
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

    /// Why a request of an address has to wait; nothing where it has not. This machine's own requests never have: they are a
    /// program's on it, which its client's limit holds, or a proxy's, which speaks for everybody.
    private func refusal(_ origin: RequestOrigin) -> AcoustIDError? {
        guard !origin.isLoopback, let pace = core.addressPace, !pace.admits(origin.name, at: core.now()) else {
            return nil
        }
        return .tooManyRequests(pace.limit)
    }
}
