import EarshotAPI
import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Multipart uploads")
struct MultipartParserTests {
    private static let sample = Data(
        """
        --AaB03x\r
        Content-Disposition: form-data; name="kind"\r
        \r
        file\r
        --AaB03x\r
        content-disposition: form-data; name="sample"; filename="a \\"b\\".wav"\r
        Content-Type: audio/wav\r
        \r
        one\r
        --AaB03\r
        \r
        --AaB03x\r
        Content-Disposition: form-data; name=empty\r
        \r
        \r
        --AaB03x--\r
        what follows is for nobody
        """.utf8
    )

    /// The parts of a body that arrives in pieces.
    private func parts(_ body: Data, cuts: [Int], boundary: String = "AaB03x") throws -> [(
        MultipartParser.Header, [UInt8]
    )] {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=\(boundary)")
        var parts: [(MultipartParser.Header, [UInt8])] = []
        var begin = 0
        for cut in cuts.sorted() + [body.count] {
            for event in try parser.take(body[begin..<cut]) {
                switch event {
                case .part(let header): parts.append((header, []))
                case .content(let bytes): parts[parts.count - 1].1 += bytes
                case .partEnd, .end: break
                }
            }
            begin = cut
        }
        #expect(parser.isComplete)
        return parts
    }

    @Test("parts come out whole, wherever the body is cut")
    func cuts() throws {
        property("multipart", rounds: 200) { generator in
            let cuts = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                Int.random(in: 0...Self.sample.count, using: &generator)
            }
            let parts = try parts(Self.sample, cuts: cuts)
            #expect(parts.map(\.0.name) == ["kind", "sample", "empty"])
            #expect(parts.map { String(decoding: $0.1, as: UTF8.self) } == ["file", "one\r\n--AaB03\r\n", ""])
            #expect(parts[1].0.fileName == "a \"b\".wav")
            #expect(parts[1].0.contentType == "audio/wav")
            return true
        }
    }

    @Test("any bytes come back, line ends and hyphens too")
    func content() throws {
        property("multipart content", rounds: 100) { generator in
            let alphabet: [UInt8] = [0x0D, 0x0A, 0x2D, 0x61, 0x00, 0xFF]
            let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<6, using: &generator)]
            }
            var body = Data("--x\r\nContent-Disposition: form-data; name=\"sample\"\r\n\r\n".utf8)
            body.append(contentsOf: bytes)
            body.append(Data("\r\n--x--\r\n".utf8))
            // The boundary must not occur inside.
            guard Data(bytes).range(of: Data("\r\n--x".utf8)) == nil else { return true }
            let cuts = (0..<5).map { _ in Int.random(in: 0...body.count, using: &generator) }
            return try parts(body, cuts: cuts, boundary: "x").first?.1 == bytes
        }
    }

    @Test(
        "what is no such body is refused",
        arguments: [
            "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--", "--x\r\nnothing\r\n\r\na\r\n--x--",
            "--xy\r\n\r\n",
            "--x\r\n" + String(repeating: "a", count: 9_000), String(repeating: "a", count: 9_000),
            String(repeating: "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n", count: 70),
        ]
    )
    func damaged(body: String) throws {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=x")
        #expect(throws: EarshotError.self) { _ = try parser.take(Array(body.utf8)) }
    }

    @Test(
        "a type without a boundary is refused",
        arguments: ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; charset=x"]
    )
    func boundary(type: String) {
        #expect(throws: EarshotError.self) { _ = try MultipartParser(contentType: type) }
    }

    @Test("no bytes make it fail otherwise than by an error")
    func mutations() throws {
        property("multipart mutations", rounds: 500) { generator in
            var body = [UInt8](Self.sample)
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                body[Int.random(in: 0..<body.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            var parser = try MultipartParser(contentType: "multipart/form-data; boundary=AaB03x")
            _ = try? parser.take(body)
            return true
        }
    }
}
