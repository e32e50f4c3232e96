import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// A page: a value whose members a template shows. A template escapes them; they are plain text.
protocol Page: Sendable {
    /// The name of the template.
    static var template: String { get }
}

/// Renders pages from Mustache templates.
struct PageRenderer: Sendable {
    private let assets: PageAssets
    private let library: MustacheLibrary
    private let texts: PageTexts
    /// Creates the marks of pages; `nil` for a service without pages for people.
    private let browsers: BrowserAccess?
    private let settings: ServiceSettings

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - assets: The templates and texts.
    ///   - browsers: The browsers in which people have signed in; `nil` for a service without pages for them.
    ///   - settings: The settings of the service.
    /// - Throws: `internalError` for an invalid template or text.
    init(
        _ assets: PageAssets,
        browsers: BrowserAccess? = nil,
        settings: ServiceSettings = ServiceSettings()
    ) throws(EarshotError) {
        (self.assets, self.browsers, self.settings) = (assets, browsers, settings)
        library = try Self.library(assets)
        texts = try PageTexts(assets)
    }

    private static func library(_ assets: PageAssets) throws(EarshotError) -> MustacheLibrary {
        MustacheContentTypes.register(ScalarHTML(), named: ScalarHTML.name)
        var library = MustacheLibrary()
        for (name, bytes) in assets.files(of: "mustache") {
            do {
                // In each template: one that is included as a partial would otherwise fall back to the library's own escaping.
                let text = "{{%CONTENT_TYPE:\(ScalarHTML.name)}}\n" + String(decoding: bytes, as: UTF8.self)
                library.register(try MustacheTemplate(string: text), named: name)
            } catch {
                throw EarshotError(
                    .internalError,
                    "The page template \(name) has a syntax error: correct it in pagesFolder, or remove it there to use the built-in one.",
                    cause: error
                )
            }
        }
        return library
    }

    /// Returns the HTML of a page.
    ///
    /// - Throws: `internalError` if there is no template of its name.
    func text<Content: Page>(_ page: Content, in frame: PageFrame? = nil) throws(EarshotError) -> String {
        // Files of a folder are read each time, so that changes of them are shown at once.
        let library = assets.folder == nil ? library : try Self.library(assets)
        let content: Any = frame.map { FramedPage(page: page, frame: $0) } ?? page
        guard let text = library.render(content, withTemplate: Content.template) else {
            throw EarshotError(.internalError, "There is no template \(Content.template).")
        }
        return text
    }

    /// Returns the texts for the reader of a request.
    func texts(for context: RequestContext) throws(EarshotError) -> (language: String, texts: PageTexts.Language) {
        let texts = assets.folder == nil ? texts : try PageTexts(assets)
        let language = texts.language(
            chosen: PageFrame.chosenLanguage(context.request),
            accepted: context.request.headers[.acceptLanguage]
        )
        return (language, texts.texts(language))
    }

    /// Returns a response with a page.
    ///
    /// - Parameter isFramable: `true` if pages of other sites may embed it.
    func response(
        _ page: some Page,
        for context: RequestContext,
        _ status: HTTPResponse.Status = .ok,
        isFramable: Bool = false
    ) throws(EarshotError) -> Response {
        let (language, texts) = try texts(for: context)
        let frame = PageFrame(
            context,
            assets: assets,
            language: language,
            languages: self.texts.names,
            texts: texts,
            mark: browsers?.mark(context.session, at: context.now),
            isEmbedded: isFramable
        )
        var response = Response.bytes(
            Data(try text(page, in: frame).utf8),
            type: "text/html; charset=utf-8",
            status
        )
        response.headers[.contentSecurityPolicy] = Self.policy(isFramable ? "*" : "'none'")
        response.headers[.vary] = "Accept-Language, Cookie"
        return response
    }

    /// Returns the content security policy: a page loads from its own service only, and runs no inline code.
    private static func policy(_ ancestors: String) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
            + "connect-src 'self'; worker-src 'self'; form-action 'self'; frame-src 'self'; manifest-src 'self'; "
            + "frame-ancestors \(ancestors); base-uri 'none'"
    }
}

/// Escapes text by Unicode scalars.
///
/// The library's own escaping works on characters, so it does not escape a `<` with a combining mark, at which a browser begins a
/// tag.
private struct ScalarHTML: MustacheContentType {
    static let name = "SCALARHTML"

    func escapeText(_ text: String) -> String { MarkupText.html(text) }
}

/// A page with its frame.
private struct FramedPage<Content: Page>: MustacheParent {
    let page: Content
    let frame: PageFrame

    func child(named name: String) -> Any? {
        switch name {
        case "frame": frame
        case "text": frame.texts
        default: Mirror(reflecting: page).children.first { $0.label == name }.flatMap { Self.unwrapped($0.value) }
        }
    }

    /// Returns the value of an optional member; `nil` if it is `nil`, which a template takes for missing.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
}

/// A page with a short message.
struct NoticePage: Page {
    static let template = "notice"

    let title: String
    /// The message. In templates, `text` is the name of the texts of the frame.
    let message: String
    /// `true` to link to the pieces. Default: `false`.
    let linksPieces: Bool

    init(title: String, text: String, linksPieces: Bool = false) {
        (self.title, message, self.linksPieces) = (title, text, linksPieces)
    }
}
