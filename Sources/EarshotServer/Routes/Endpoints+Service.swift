import CoreMetrics
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

extension Endpoints {
    // MARK: - The service itself

    static var service: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/",
                id: "page",
                summary: "The first steps with this service, as a page.",
                tag: "Service",
                access: .open,
                answers: [
                    Endpoint.Answer(status: 200, summary: "The page.", type: "text/html", schema: ["type": "string"])
                ],
                handler: { call in
                    var response = Response.text(StartPage.html(base: call.base), type: "text/html; charset=utf-8")
                    response.headers[.contentSecurityPolicy] = StartPage.contentPolicy
                    return response
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/openapi.json",
                id: "description",
                summary: "This description.",
                tag: "Service",
                access: .open,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "An OpenAPI 3.1 document.",
                        type: "application/json",
                        schema: ["type": "object"]
                    )
                ],
                handler: { call in try .json(OpenAPIDocument(Endpoints.all, base: call.base).value) }
            ),
            Endpoint(
                method: .get,
                path: "/health",
                id: "health",
                summary: "Whether the process lives.",
                tag: "Service",
                access: .open,
                answers: [.state],
                handler: { _ in try .json(["status": "ok"]) }
            ),
            Endpoint(
                method: .get,
                path: "/ready",
                id: "ready",
                summary: "Whether requests are best sent here: the stores answer, and the service is not about to end.",
                tag: "Service",
                access: .open,
                answers: [.state],
                handler: { call in
                    guard !call.core.isStopping else {
                        throw EarshotError(.storeUnavailable, "The service is about to end.")
                    }
                    _ = try await call.core.music.counts()
                    _ = try await call.core.accounts.value(ServiceCore.adminName)
                    return try .json(["status": "ready"])
                }
            ),
            Endpoint(
                method: .get,
                path: "/metrics",
                id: "metrics",
                summary: "Figures in Prometheus' text format.",
                tag: "Service",
                access: .open,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The figures.",
                        type: "text/plain",
                        schema: ["type": "string"]
                    )
                ],
                handler: { call in
                    let core = call.core
                    let load = core.queue.load
                    func set(_ name: String, _ value: Int) {
                        core.metrics.makeMeter(label: name, dimensions: []).set(Int64(value))
                    }
                    set("earshot_work_running", load.running)
                    set("earshot_work_waiting", load.waiting)
                    set("earshot_catalog_references", core.catalog.catalog.count)
                    if let media = core.media {
                        let (exports, analyses) = (await media.exports?.load, await media.analyses.load)
                        set("earshot_exports_running", exports?.running ?? 0)
                        set("earshot_exports_waiting", exports?.waiting ?? 0)
                        set("earshot_analyses_running", analyses.running)
                        set("earshot_analyses_waiting", analyses.waiting)
                        set("earshot_media_work_running", media.queue.load.running)
                        set("earshot_media_work_waiting", media.queue.load.waiting)
                        set("earshot_media_streams", media.places.count)
                    }
                    return .text(core.metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
                }
            ),
        ]
    }
}

extension Endpoint.Answer {
    fileprivate static var state: Endpoint.Answer {
        Endpoint.Answer(
            status: 200,
            summary: "It does.",
            type: "application/json",
            schema: ["type": "object", "properties": ["status": ["type": "string"]], "required": ["status"]]
        )
    }
}
