import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What all pages about pieces have in common.
enum HTMLPage {
    /// What browsers may do with a page: play its sound and show its pictures, and nothing else. No script runs.
    private static func policy(_ ancestors: String) -> String {
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; "
            + "frame-src 'self'; frame-ancestors \(ancestors); base-uri 'none'"
    }

    /// Text as it stands in a page, between tags and in attributes with quotation marks.
    static func escaped(_ text: String) -> String { MarkupText.html(text) }

    /// A page.
    ///
    /// - Parameters:
    ///   - title: As text.
    ///   - head: What stands in its head, as HTML.
    ///   - body: What it shows, as HTML.
    static func html(title: String, head: String = "", body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        \(head)
        <style>
        :root { color-scheme: light dark; --text: #1b1b1f; --dim: #5b5b66; --back: #fff; --box: #f3f3f6; --link: #0b57d0; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6e6ea; --dim: #a0a0ab; --back: #17171a; --box: #24242a; --link: #8ab4f8; } }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); background: var(--back); overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } a { color: var(--link); }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { color: var(--dim); } dd { margin: 0; }
        .cover { max-width: 100%; width: 20rem; height: auto; border-radius: .4rem; } audio { width: 100%; }
        .dim { color: var(--dim); } .fault { background: var(--box); border-left: .3rem solid #c5221f; padding: .6rem 1rem; }
        .piece { display: flex; gap: 1rem; align-items: center; border-top: 1px solid var(--box); padding: .6rem 0; }
        .piece img, .piece .none { width: 4rem; height: 4rem; border-radius: .3rem; background: var(--box); flex: none; }
        .button, button { display: inline-block; font: inherit; padding: .4rem .9rem; border: 0; border-radius: .4rem; background: var(--link); color: var(--back); text-decoration: none; cursor: pointer; }
        label { display: block; margin: .8rem 0; } input[type=text], input[type=password] { font: inherit; width: 100%; max-width: 22rem; display: block; padding: .3rem; }
        textarea { width: 100%; font: .85rem monospace; color: inherit; background: var(--box); border: 0; padding: .6rem; border-radius: .4rem; }
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    /// A page as an answer.
    ///
    /// - Parameter isFramable: Whether pages of others may show it inside of them.
    static func response(
        _ html: String,
        _ status: HTTPResponse.Status = .ok,
        isFramable: Bool = false
    ) -> Response {
        var response = Response.bytes(Data(html.utf8), type: "text/html; charset=utf-8", status)
        response.headers[.contentSecurityPolicy] = policy(isFramable ? "*" : "'none'")
        return response
    }

    /// A length as people read it: `1:05`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let (minutes, rest) = (whole / 60, whole % 60)
        return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// A tempo as people read it: `120`, `90.5`.
    static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
