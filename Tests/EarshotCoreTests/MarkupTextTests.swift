import EarshotCore
import Testing

@Suite("Text of others in markup")
struct MarkupTextTests {
    @Test(
        "no sign of markup stays, whatever stands before or behind it",
        arguments: ["\u{600}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{E33}", "\r"]
    )
    func joined(mark: String) {
        for sign in ["<", ">", "&", "\"", "'"] {
            for text in [mark + sign, sign + mark, mark + sign + mark] {
                let escaped = Array(MarkupText.html(text).utf8)
                #expect(sign == "&" || !escaped.contains(Array(sign.utf8)[0]), "\(text.debugDescription)")
                // The semicolon that ends its name.
                #expect(escaped.contains(0x3B), "\(text.debugDescription)")
            }
        }
        #expect(MarkupText.html("a <b> & \"c\" 'd'") == "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;")
    }

    @Test("XML keeps line ends and quotation marks, and leaves out or replaces what it cannot hold")
    func xml() {
        let text = "\"a\" <\u{1}\u{FFFF}&\u{600}>\r\n\t'"
        #expect(MarkupText.xml(text) == "\"a\" &lt;&amp;\u{600}&gt;&#13;\n\t'")
        #expect(MarkupText.xml(text, isAttribute: true) == "&quot;a&quot; &lt;&amp;\u{600}&gt;&#13;&#10;&#9;'")
        #expect(MarkupText.xml("\u{1}b\u{FFFE}", replacement: "\u{FFFD}") == "\u{FFFD}b\u{FFFD}")
    }

    @Test("scalars are replaced that a combining mark follows, and the two of a line's end one by one")
    func scalars() {
        let marked = "\"\u{301}".replacingScalars(["\"": "\\\""])
        #expect(Array(marked.unicodeScalars) == ["\\", "\"", "\u{301}"])
        #expect("a\r\nb".replacingScalars(["\n": "\\n"]).unicodeScalars.elementsEqual("a\r\\nb".unicodeScalars))
        #expect("plain".replacingScalars(["x": "y"]) == "plain")
    }
}
