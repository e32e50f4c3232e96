import EarshotAPI
import EarshotCore
import TestSupport
import Testing

@Suite("Parameters of forms")
struct FormParametersTests {
    @Test("forms are read as browsers write them")
    func forms() throws {
        var form = FormParameters()
        try form.add("meta=recordings+releases&a=%C3%A4%2B%3d&mbid.0=1&mbid.0=2&empty=&flag&x=%zz%4")
        #expect(form["meta"] == "recordings releases")
        #expect(form["a"] == "ä+=")
        #expect(form.all("mbid.0") == ["1", "2"])
        #expect(form["empty"] == nil)
        #expect(form["flag"] == nil)
        #expect(form["x"] == "%zz%4")
        try form.add(
            "fingerprint.10=&fingerprint.2=&fingerprint=&trackid.3=&fingerprints.1=&fingerprint.x=&fingerprint.-1="
        )
        #expect(form.suffixes(of: "fingerprint", "trackid") == ["", ".2", ".3", ".10"])
        let many = String(repeating: "a=&", count: FormParameters.mostParameters + 1)
        let failure = #expect(throws: EarshotError.self) { try form.add(many) }
        #expect(failure?.code == .uploadTooLarge)
        #expect(form.names.contains("a") && form.all("a").count < FormParameters.mostParameters + 1)
    }

    @Test("whatever a form holds, reading it ends")
    func anyForm() {
        property("reading a form ends") { random in
            let bytes = (0..<200).map { _ in "%&=+.0123456789abcdef\u{FF}".utf8.randomElement(using: &random) ?? 0 }
            var form = FormParameters()
            try form.add(String(decoding: bytes, as: UTF8.self))
            return form.suffixes(of: "a", "").count <= bytes.count
        }
    }
}
