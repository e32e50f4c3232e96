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
    private let library: MustacheLibrary

    /// Creates a renderer.
    ///
    /// - Parameter templates: The text of the templates by name.
    /// - Throws: `internalError` for a template that is wrong.
    init(_ templates: [String: [UInt8]]) throws(EarshotError) {
        MustacheContentTypes.register(ScalarHTML(), named: ScalarHTML.name)
        var library = MustacheLibrary()
        for (name, bytes) in templates {
            do {
                // Each template names the escaping: a partial would fall back to the library's own.
                let text = "{{%CONTENT_TYPE:\(ScalarHTML.name)}}\n" + String(decoding: bytes, as: UTF8.self)
                library.register(try MustacheTemplate(string: text), named: name)
            } catch {
                throw EarshotError(.internalError, "The template \(name) cannot be read.", cause: error)
            }
        }
        self.library = library
    }

    /// The text of a page.
    ///
    /// - Throws: `internalError` if there is no template of its name.
    func text<Content: Page>(_ page: Content) throws(EarshotError) -> String {
        guard let text = library.render(page, withTemplate: Content.template) else {
            throw EarshotError(.internalError, "There is no template \(Content.template).")
        }
        return text
    }

    /// A page as a response.
    ///
    /// - Parameter isFramable: Whether pages of others may show it inside of them.
    func response(
        _ page: some Page,
        _ status: HTTPResponse.Status = .ok,
        isFramable: Bool = false
    ) throws(EarshotError) -> Response {
        var response = Response.bytes(Data(try text(page).utf8), type: "text/html; charset=utf-8", status)
        response.headers[.contentSecurityPolicy] = Self.policy(isFramable ? "*" : "'none'")
        return response
    }

    /// The rules for browsers: a page may play its audio and show its pictures, and nothing else. No script runs.
    private static func policy(_ ancestors: String) -> String {
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; "
            + "frame-src 'self'; frame-ancestors \(ancestors); base-uri 'none'"
    }
}

/// Escapes text by Unicode scalars.
///
/// The library's own escaping goes by characters: it lets a `<` pass that a combining mark follows, and a browser begins a
/// tag there.
private struct ScalarHTML: MustacheContentType {
    static let name = "SCALARHTML"

    func escapeText(_ text: String) -> String { MarkupText.html(text) }
}

/// A page that says one thing.
struct NoticePage: Page {
    static let template = "notice"

    let title: String
    let text: String
    /// `true` to link to the pieces. Default: `false`.
    var linksPieces = false
}
