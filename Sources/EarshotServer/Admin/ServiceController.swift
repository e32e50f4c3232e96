import CoreMetrics
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotNodes
import EarshotRecognition
import EarshotSharedCatalogs
import Foundation
import HTTPTypes
import Hummingbird

/// Serves the state of the service, and its start page.
struct ServiceController: Controller {
    let music: any MusicStore
    let accounts: any AccountStore
    let work: NodeWork
    let shutdown: ShutdownFlag
    let catalog: CatalogProvider
    let metrics: MetricRegistry
    let pages: PageRenderer
    /// `true` if the port of the start page shows the state too.
    let tellsState: Bool
    let updateGauges: @Sendable () async -> Void

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/start",
                id: "page",
                summary: "The first steps of programs with this service, as a page.",
                tag: "Service",
                access: .page,
                responses: [
                    Endpoint.Response(status: 200, summary: "The page.", type: "text/html", schema: ["type": "string"])
                ],
                handler: { context in
                    try pages.response(StartPage(base: context.base, tellsState: tellsState), for: context)
                }
            ),
            Endpoint(
                method: .get,
                path: SecurityText.path,
                id: "securityText",
                summary: "Where to report faults that concern security, by RFC 9116.",
                tag: "Service",
                access: .open,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The contacts.",
                        type: "text/plain",
                        schema: ["type": "string"]
                    ), .notFound,
                ],
                handler: { context in
                    guard let text = context.settings.securityText else {
                        throw EarshotError(
                            .entityNotFound,
                            "This service names no contact: its operator can, with the setting securityContact."
                        )
                    }
                    return .text(
                        text.text(publicURL: context.settings.publicURL, at: context.now),
                        type: "text/plain; charset=utf-8"
                    )
                }
            ),
            Endpoint(
                method: .get,
                path: "/health",
                id: "health",
                summary: "Whether the process lives.",
                tag: "Service",
                access: .open,
                isOperational: true,
                responses: [.state],
                handler: { _ in try .json(["status": "ok"]) }
            ),
            Endpoint(
                method: .get,
                path: "/ready",
                id: "ready",
                summary:
                    "Whether requests are best sent here: the stores answer, and the service is not about to end. If it is, the status is `draining`, with 503.",
                tag: "Service",
                access: .open,
                isOperational: true,
                responses: [.state],
                handler: { context in
                    guard !shutdown.isRaised, !work.isDraining else {
                        return try .json(["status": "draining"], .serviceUnavailable)
                    }
                    return try .json(["status": try await state()])
                }
            ),
            Endpoint(
                method: .get,
                path: "/metrics",
                id: "metrics",
                summary: "Figures in Prometheus' text format.",
                tag: "Service",
                access: .open,
                isOperational: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The figures.",
                        type: "text/plain",
                        schema: ["type": "string"]
                    )
                ],
                handler: { _ in
                    await updateGauges()
                    return .text(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
                }
            ),
        ]
    }

    /// The time for which a node counts as usable while the database is away, in seconds.
    private static let longestSilence = 600.0

    /// Returns the state of this node: `ready`, or `recognizing` while the shared database is away.
    ///
    /// - Throws: `searchIncomplete` or `storeUnavailable` if requests are better sent to another node.
    private func state() async throws(EarshotError) -> String {
        if let status = catalog.shared?.status, !status.isComplete {
            throw EarshotError(
                .searchIncomplete,
                (status.missing.isEmpty
                    ? "It is not known yet which segments of the catalog this node holds."
                    : "\(status.missing.count) of \(status.segmentCount) segments of the catalog are not here.")
                    + (status.failures.first.map { " \($0)" } ?? "")
            )
        }
        do throws(EarshotError) {
            _ = try await music.counts()
            _ = try await accounts.value(Authenticator.adminName)
            return "ready"
        } catch {
            // All nodes are in this state then: a load balancer that removed all of them would stop recognition.
            guard error.code == .storeUnavailable, let status = catalog.shared?.status,
                status.silence < Self.longestSilence
            else { throw error }
            return "recognizing"
        }
    }
}

extension Endpoint.Response {
    fileprivate static var state: Endpoint.Response {
        Endpoint.Response(
            status: 200,
            summary: "It does.",
            type: "application/json",
            schema: ["type": "object", "properties": ["status": ["type": "string"]], "required": ["status"]]
        )
    }
}
