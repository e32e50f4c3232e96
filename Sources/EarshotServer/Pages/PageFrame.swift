import Foundation
import HTTPTypes
import Hummingbird

/// The frame around the content of every page: navigation, language, and the signed-in user.
struct PageFrame: Sendable {
    /// A link to another page.
    struct Link: Sendable {
        let address: String
        let name: String
        /// `true` if it is the current page, or a parent of it.
        let isCurrent: Bool
    }

    private static let languageCookie = "earshot-language"

    let language: String
    /// The address of the files that pages load.
    let assets: String
    /// The mark that scripts send with their requests; `nil` for a service without pages for people.
    let mark: String?
    /// The most bytes of recordings that scripts may send, such as `upload=67108864 tracklist=1073741824`; `nil` for a
    /// service without pages for people.
    let limits: String?
    /// The main pages; empty for a service without pages for people.
    let links: [Link]
    /// The languages to choose from.
    let languages: [Link]
    /// The address of this page, to come back to.
    let back: String
    let isSignedIn: Bool
    let isOperator: Bool
    /// `true` if users can sign in.
    let admits: Bool
    /// `true` if the page is displayed inside pages of other sites.
    let isEmbedded: Bool
    let texts: PageTexts.Language

    init(
        _ context: RequestContext,
        assets: PageAssets,
        language: String,
        languages: [String],
        texts: PageTexts.Language,
        mark: String?,
        isEmbedded: Bool
    ) {
        let path = context.request.uri.path
        func isCurrent(_ address: String) -> Bool {
            path == address || address != "/" && path.hasPrefix(address + "/")
        }
        self.language = language
        self.assets = "/web/\(assets.version)"
        self.mark = mark
        let settings = context.settings
        limits = mark.map { _ in "upload=\(settings.uploadLimit) tracklist=\(settings.tracklistLimit)" }
        self.isEmbedded = isEmbedded
        self.texts = texts
        admits = mark != nil
        isSignedIn = context.session != nil
        if case .admin = context.identity { isOperator = true } else { isOperator = false }
        let back = context.request.uri.string.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        self.back = back
        self.languages = languages.map { name in
            Link(
                address: "/language?to=\(name)&back=\(back)",
                name: Locale(identifier: name).localizedString(forLanguageCode: name) ?? name,
                isCurrent: name == language
            )
        }
        let names = texts["frame"] ?? [:]
        var pages: [(String, String)] =
            mark == nil ? [] : [("/", "recognize"), ("/search", "search"), ("/tracklist", "tracklist")]
        if mark != nil {
            pages += [("/companion", "companion"), ("/collection", "collection")]
            if !context.settings.mediaRoots.isEmpty { pages.append(("/library", "library")) }
            pages += [("/pieces", "pieces"), ("/history", "history")]
            if isOperator { pages += [("/stations", "stations"), ("/admin", "admin")] }
        }
        links = pages.map { Link(address: $0.0, name: names[$0.1] ?? $0.1, isCurrent: isCurrent($0.0)) }
    }

    /// Returns the language that the reader has chosen, from a cookie; `nil` if none was chosen.
    static func chosenLanguage(_ request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                if parts.count == 2, parts[0] == languageCookie { return parts[1] }
            }
        }
        return nil
    }

    /// Returns the value of the header that stores a language in a cookie.
    static func settingLanguage(_ language: String) -> String {
        "\(languageCookie)=\(language); Path=/; Max-Age=31536000; SameSite=Lax"
    }

    /// Returns the address of a page of the service to come back to; `/` for an address that leads elsewhere.
    static func ownAddress(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return text
    }
}
