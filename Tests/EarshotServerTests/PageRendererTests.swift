import EarshotCore
import Foundation
import Testing

@testable import EarshotServer

@Suite("Pages from templates")
struct PageRendererTests {
    private struct SamplePage: Page {
        static let template = "sample"

        struct Row: Sendable {
            let name: String
            var note: String?
        }

        let title: String
        var rows: [Row] = []
        var note: String?
    }

    private static let layout = "<title>{{title}}</title>{{$body}}{{/body}}"

    private func text(_ template: String, _ page: SamplePage) throws -> String {
        let files = ["layout.mustache": Array(Self.layout.utf8), "sample.mustache": Array(template.utf8)]
        return try PageRenderer(PageAssets(files)).text(page)
    }

    @Test(
        "no text of others begins a tag or ends an attribute, wherever it stands in a template",
        arguments: ["", "\u{0301}", "\u{200D}", "\u{FE0F}", "\u{0600}"]
    )
    func escaping(mark: String) throws {
        // With a mark behind or before it, each of them is a part of another character.
        let evil = ["<", ">", "\"", "'", "&"].map { "\(mark)\($0)\(mark)" }.joined() + "script"
        let template = """
            {{<layout}}{{$body}}<p title="{{title}}">{{title}}</p>{{#rows}}<i>{{.name}}</i>{{/rows}}\
            {{#note}}<b>{{.}}</b>{{/note}}{{/body}}{{/layout}}
            """
        let page = SamplePage(title: evil, rows: [SamplePage.Row(name: evil)], note: evil)
        let text = try text(template, page)
        let shown = MarkupText.html(evil)
        #expect(
            text.trimmingCharacters(in: .newlines).unicodeScalars.elementsEqual(
                "<title>\(shown)</title><p title=\"\(shown)\">\(shown)</p><i>\(shown)</i><b>\(shown)</b>".unicodeScalars
            )
        )
    }

    @Test("a member that is nil is left out, and one of the page does not stand in for one of a row")
    func missingMembers() throws {
        let rows = [SamplePage.Row(name: "a"), SamplePage.Row(name: "b", note: "c")]
        let page = SamplePage(title: "t", rows: rows, note: "page")
        let text = try text("{{#rows}}{{.name}}{{#.note}}={{.}}{{/.note}};{{/rows}}", page)
        #expect(text == "a;b=c;")
    }

    @Test("a template that is wrong or missing is an error")
    func faults() throws {
        #expect(throws: EarshotError.self) { try text("{{#rows}}", SamplePage(title: "")) }
        #expect(throws: EarshotError.self) { try PageRenderer(PageAssets([:])).text(SamplePage(title: "")) }
    }

    @Test("every template of the service can be read and shows its page in the layout")
    func templates() throws {
        let renderer = try PageRenderer(PageAssets())
        let login = LoginPage(
            title: "T<1>",
            action: "/device",
            hidden: [LoginPage.Field(name: "seal", value: "s\"")],
            code: "",
            question: LoginPage.Question(application: "A<2>", code: "BCDF-GHJK", age: "just now"),
            name: "n",
            fault: nil
        )
        let text = try renderer.text(login)
        for part in [
            "<!doctype html>", "<title>T&lt;1&gt;</title>", "<h1>T&lt;1&gt;</h1>", "name=\"seal\" value=\"s&quot;\"",
            "name=\"code\" value=\"\"", "<strong>A&lt;2&gt;</strong>", "value=\"refuse\"", "name=\"name\" value=\"n\"",
            "</html>",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("role=\"alert\""))
        #expect(!text.contains("{{"))
        #expect(try renderer.text(NoticePage(title: "N", text: "x")).contains("<h1>N</h1><p>x</p>"))
    }
}
