import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

/// Serves the pages that scripts fill, and the files that pages load.
struct PageController: Controller {
    let pages: PageRenderer
    let assets: PageAssets
    /// `true` if there are pages for people.
    let hasShells: Bool
    private let packed = PackedFiles()

    init(pages: PageRenderer, assets: PageAssets, hasShells: Bool) {
        (self.pages, self.assets, self.hasShells) = (pages, assets, hasShells)
    }

    /// A page that a script fills.
    private struct Shell {
        let path: String
        /// The name of the script, and of the group of its texts.
        let name: String
        var access = Access.everybody

        enum Access { case everybody, signedIn, operatorOnly }
    }

    private static let shells: [Shell] = [
        Shell(path: "/", name: "recognize"),
        Shell(path: "/tracklist", name: "tracklist"),
        Shell(path: "/companion", name: "companion"),
        Shell(path: "/companion/{id}", name: "companion"),
        Shell(path: "/companion/{id}/edit", name: "companion-editor", access: .operatorOnly),
        Shell(path: "/collection", name: "collection"),
        Shell(path: "/library", name: "library", access: .signedIn),
        Shell(path: "/history", name: "history"),
        Shell(path: "/account", name: "account", access: .signedIn),
        Shell(path: "/drop", name: "drop", access: .signedIn),
        Shell(path: "/admin", name: "admin", access: .operatorOnly),
        Shell(path: "/admin/{section}", name: "admin", access: .operatorOnly),
        Shell(path: "/admin/{section}/{id}", name: "admin", access: .operatorOnly),
        Shell(path: "/stations", name: "stations", access: .operatorOnly),
        Shell(path: "/stations/{section}", name: "stations", access: .operatorOnly),
        Shell(path: "/stations/{section}/{id}", name: "stations", access: .operatorOnly),
    ]

    var endpoints: [Endpoint] {
        guard hasShells else {
            return [file, language, .page("/", "homePage") { _ in .seeOther("/start") }]
        }
        return Self.shells.map { shell in
            Endpoint.page(shell.path, "\(shell.name)\(shell.path.count { $0 == "/" })Page") { context in
                if let answer = signingIn(shell, context) { return answer }
                let texts = try pages.texts(for: context).texts
                let title = texts[shell.name]?["title"] ?? shell.name
                return try pages.response(ShellPage(title: title, script: shell.name), for: context)
            }
        } + [file, language]
    }

    /// Returns a redirect to the sign-in page for a person who may not see a page; `nil` if the person may.
    private func signingIn(_ shell: Shell, _ context: RequestContext) -> Response? {
        let isAdmitted =
            switch (shell.access, context.identity) {
            case (.everybody, _), (_, .admin): true
            case (.signedIn, .client(_, .some)): true
            default: false
            }
        return isAdmitted ? nil : .signingIn(context)
    }

    /// The endpoint of files that pages load. Their addresses contain the version, so that browsers may cache them.
    private var file: Endpoint {
        Endpoint.page("/web/{version}/{file}", "pageFile") { context in
            let name = try context.path("file")
            guard let type = PageAssets.type(of: name), let bytes = assets.file(name) else {
                throw EarshotError(.entityNotFound, "There is no file \(name.prefix(80)): load the page again.")
            }
            let isLasting = assets.folder == nil && context.pathParameter("version") == assets.version
            let takesGzip = context.request.headers[.acceptEncoding]?.contains("gzip") == true
            let packed = takesGzip && assets.folder == nil ? packed.packed(name, bytes) : nil
            var response = Response.bytes(Data(packed ?? bytes), type: type)
            if packed != nil { response.headers[.contentEncoding] = "gzip" }
            response.headers[.vary] = "Accept-Encoding"
            response.headers[.cacheControl] = isLasting ? "public, max-age=31536000, immutable" : "no-cache"
            return response
        }
    }

    private var language: Endpoint {
        Endpoint.page("/language", "chooseLanguage") { context in
            let name = try context.text("to", upTo: 20) ?? ""
            var response = Response.seeOther(PageFrame.ownAddress(try context.text("back", upTo: 2_000)))
            if name.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) {
                response.headers[.setCookie] = PageFrame.settingLanguage(name)
            }
            return response
        }
    }
}

/// A page that a script fills.
struct ShellPage: Page {
    static let template = "shell"

    let title: String
    let script: String
}

extension Endpoint {
    /// Returns an endpoint for browsers, which the OpenAPI description leaves out.
    static func page(
        _ path: String,
        _ id: String,
        method: HTTPRequest.Method = .get,
        isAudited: Bool? = nil,
        _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint(
            method: method,
            path: path,
            id: id,
            summary: "A page.",
            tag: "Pages",
            access: .page,
            isAudited: isAudited,
            isDescribed: false,
            responses: [],
            handler: handler
        )
    }
}

extension Response {
    /// Returns a redirect to a page of the service.
    static func seeOther(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .contentLength: "0"])
    }

    /// Returns a redirect to the sign-in page, which leads back afterwards.
    static func signingIn(_ context: RequestContext) -> Response {
        let back = context.request.uri.string.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return .seeOther("/sign-in?back=\(back)")
    }
}
