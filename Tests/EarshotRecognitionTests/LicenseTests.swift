import EarshotCore
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("Licences")
struct LicenseTests {
    private func license(expires: Date? = nil) throws -> License {
        try License(
            service: "https://tv.example",
            clients: [
                License.Client(id: "87654321", modules: [.music]),
                License.Client(id: "12345678", modules: [.monitoring, .music]),
            ],
            expires: expires
        )
    }

    @Test("the text of a license makes it again", .requirements("R-ACR-001"))
    func text() throws {
        for end in [nil, Date(timeIntervalSince1970: 1_900_000_000.7)] {
            let license = try license(expires: end)
            #expect(try License(text: license.text) == license)
        }
        #expect(try license().modules(of: "87654321") == [.music])
        #expect(try license().modules(of: "11111111").isEmpty)
    }

    @Test("blanks and the order of names do not matter")
    func form() throws {
        let license = try license()
        let object = try JSONSerialization.jsonObject(with: Data(license.text.utf8))
        let flat = try JSONSerialization.data(withJSONObject: object)
        #expect(try License(text: String(decoding: flat, as: UTF8.self)) == license)
    }

    @Test("a license whose content was changed is none", .requirements("R-ACR-002"))
    func changes() throws {
        let license = try license(expires: Date(timeIntervalSince1970: 1_900_000_000))
        let text = Array(license.text.utf8)
        property("changed licences") { random in
            var changed = text
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            do throws(EarshotError) {
                // What is still read says the same: a blank more, a slash with an escape.
                return try License(text: String(decoding: changed, as: UTF8.self)) == license
            } catch {
                return error.code == .licenseInvalid
            }
        }
        for text in [
            "", "{}", "[]", "nonsense", String(license.text.dropLast(20)), String(repeating: " ", count: 70_000),
        ] {
            #expect(throws: EarshotError.self) { try License(text: text) }
        }
    }

    @Test("it holds until its end and not at it", .requirements("R-ACR-002"))
    func end() throws {
        let end = Date(timeIntervalSince1970: 1_900_000_000)
        let license = try license(expires: end)
        try license.check(at: end.addingTimeInterval(-1))
        #expect(throws: EarshotError.self) { try license.check(at: end) }
        try self.license().check(at: .distantFuture)
    }

    @Test("a license names a service and clients, each once")
    func content() throws {
        let client = License.Client(id: "1", modules: [])
        #expect(throws: EarshotError.self) { try License(service: "tv.example", clients: [client]) }
        #expect(throws: EarshotError.self) { try License(service: "ftp://tv.example", clients: [client]) }
        #expect(throws: EarshotError.self) { try License(service: "https://tv.example", clients: []) }
        #expect(throws: EarshotError.self) { try License(service: "https://tv.example", clients: [client, client]) }
    }

    @Test("the guide begins with what an app needs and who gives it out", .requirements("R-ACR-007"))
    func guide() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Docs/monitor.md"), encoding: .utf8)
        let chapters = text.components(separatedBy: "\n## ")
        let first = try #require(chapters.dropFirst().first)
        for word in ["license", "client identifier", "client tag", "earshot admin license", "earshot admin client add"]
        {
            #expect(first.contains(word), "\(word)")
        }
    }
}
