import EarshotCore
import Testing

@Suite("Text of others in markup")
struct HTMLTextTests {
    @Test(
        "no sign of markup stays, whatever stands before or behind it",
        arguments: ["\u{600}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{E33}", "\r"]
    )
    func joined(mark: String) {
        for sign in ["<", ">", "&", "\"", "'"] {
            for text in [mark + sign, sign + mark, mark + sign + mark] {
                let escaped = Array(HTMLText.escaped(text).utf8)
                #expect(sign == "&" || !escaped.contains(Array(sign.utf8)[0]), "\(text.debugDescription)")
                // The semicolon that ends its name.
                #expect(escaped.contains(0x3B), "\(text.debugDescription)")
            }
        }
        #expect(HTMLText.escaped("a <b> & \"c\" 'd'") == "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;")
    }

    @Test("scalars are replaced that a combining mark follows, and the two of a line's end one by one")
    func scalars() {
        let marked = "\"\u{301}".replacingScalars(["\"": "\\\""])
        #expect(Array(marked.unicodeScalars) == ["\\", "\"", "\u{301}"])
        #expect("a\r\nb".replacingScalars(["\n": "\\n"]).unicodeScalars.elementsEqual("a\r\\nb".unicodeScalars))
        #expect("plain".replacingScalars(["x": "y"]) == "plain")
    }
}
