import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

/// Creates the pages that explain failures to people. Programs get failures as JSON.
struct PageFaults: Sendable {
    let pages: PageRenderer
    let authenticator: Authenticator
    let settings: ServiceSettings
    let now: @Sendable () -> Date

    /// Returns the page for a failed request, of any status; `nil` for a request that does not load a page.
    func response(to request: Request, _ router: RouterContext, _ failure: EarshotError) async -> Response? {
        guard Self.isPageLoad(request) else { return nil }
        // If the person cannot be determined, the page is shown without a name.
        let person = try? await authenticator.person(at: request)
        let context = RequestContext(
            request,
            router,
            identity: person?.identity ?? .nobody,
            session: person?.session,
            settings: settings,
            clock: now
        )
        guard let words = try? PageWords(texts: pages.texts(for: context).texts) else { return nil }
        let page: FaultPage
        if failure.code == .entityNotFound {
            page = FaultPage(title: words("errors.missing"), message: words("errors.missingHelp"), retry: nil)
        } else {
            let told = words("errors.\(failure.code.rawValue)")
            page = FaultPage(
                title: words("errors.noPage"),
                message: told.hasPrefix("errors.") ? words("errors.unknown", ["code": failure.code.rawValue]) : told,
                retry: request.uri.string
            )
        }
        return try? pages.response(page, for: context)
    }

    /// Returns `true` if a request is the load of a page by a browser. Requests of scripts and programs have other
    /// headers.
    static func isPageLoad(_ request: Request) -> Bool {
        [.get, .head].contains(request.method) && request.headers[.accept]?.contains("text/html") == true
            && request.headers[.authorization] == nil && request.headers[BrowserAccess.markHeader] == nil
            && !request.uri.path.hasPrefix("/v1/") && !request.uri.path.hasPrefix("/web/")
    }
}
