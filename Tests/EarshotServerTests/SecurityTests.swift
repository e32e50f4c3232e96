import EarshotAPI
import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Security")
struct SecurityTests {
    @Test(
        "addresses of the public Internet are told from others",
        arguments: [
            ("8.8.8.8", true), ("1.1.1.1", true), ("172.32.0.1", true), ("100.128.0.1", true),
            ("2606:4700::1111", true), ("::ffff:8.8.8.8", true),
            ("64:ff9b::808:808", true), ("127.0.0.1", false), ("127.8.9.1", false), ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false), ("192.168.1.1", false), ("169.254.169.254", false), ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("224.0.0.1", false), ("255.255.255.255", false), ("192.0.2.1", false), ("198.18.0.1", false),
            ("203.0.113.9", false),
            ("::1", false), ("::", false), ("fe80::1", false), ("fc00::1", false), ("fd12::1", false),
            ("ff02::1", false),
            ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false), ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("64:ff9b:1:7f00:1::808:808", false), ("64:ff9b::7f00:1", false), ("64:ff9b::808:808", true),
            ("3fff::1", false), ("2001:2::1", false), ("2001:10::1", false), ("2001:20::1", false),
            ("2001:4860::1", true),
            ("2001:db8::1", false), ("2001:0:1::", false), ("::127.0.0.1", false), ("x", false), ("", false),
        ]
    )
    func publicAddresses(text: String, isPublic: Bool) {
        #expect(PublicAddress.isPublic(text) == isPublic)
    }

    @Test("one private address among public ones is enough to refuse a host")
    func mixedAddresses() throws {
        var fetcher = SafeFetcher()
        fetcher.resolve = { _ in ["8.8.8.8", "10.0.0.1"] }
        let url = try #require(URL(string: "http://music.example/x"))
        #expect(throws: EarshotError.self) { _ = try fetcher.check(url) }
        fetcher.resolve = { _ in ["8.8.8.8"] }
        #expect(try fetcher.check(url).address == "8.8.8.8")
        for text in [
            "http://music.example:22/x", "http://music.example:99999/", "http://music.example:0/", "http://a%2eb%00/",
        ] {
            guard let url = URL(string: text) else { continue }
            #expect(throws: EarshotError.self, "\(text)") { _ = try fetcher.check(url) }
        }
        // The name that is resolved is the one that is gone to.
        let escaped = try #require(URL(string: "http://%69nt.example/"))
        #expect(try fetcher.check(escaped).host == "int.example")
        fetcher.mayReachPrivateAddresses = true
        let port = try #require(URL(string: "http://127.0.0.1:70000/"))
        #expect(throws: EarshotError.self) { _ = try fetcher.check(port) }
    }

    @Test("a name server that is silent is not waited for, and keeps nobody else from looking up")
    func silentNames() async throws {
        let silence = DispatchSemaphore(value: 0)
        defer { for _ in 0..<8 { silence.signal() } }
        var fetcher = SafeFetcher()
        fetcher.lookupTime = 1
        fetcher.resolve = { name in
            if name == "silent.example" { silence.wait() }
            return ["8.8.8.8"]
        }
        let (asked, url) = (fetcher, try #require(URL(string: "http://silent.example/x")))
        await withTaskGroup(of: EarshotError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await WorkOwner.$current.withValue(WorkOwner(client: "hog")) {
                        do throws(EarshotError) {
                            try await asked.lookUp(url)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
            }
            for await code in group { #expect(code == .networkUnavailable) }
        }
        let other = try #require(URL(string: "http://music.example/x"))
        // What answers at once has time enough on a machine with much to do.
        var patient = asked
        patient.lookupTime = 60
        #expect(try await patient.lookUp(other).address == "8.8.8.8")
    }

    @Test("a redirect into the service's own network is not followed")
    func redirects() async throws {
        let web = try LoopbackServer()
        defer { web.stop() }
        web.publish(Data("x".utf8), at: "/a")
        web.fail("/a", .redirect(to: "http://169.254.169.254/secret"))
        var fetcher = SafeFetcher()
        // The first host is let through as a name server would that changes its mind.
        fetcher.resolve = { $0 == "127.0.0.1" ? ["127.0.0.1"] : PublicAddress.resolve($0) }
        let port = web.url("/a").port ?? 0
        let open = SafeFetcher(mayReachPrivateAddresses: true, resolve: { _ in ["127.0.0.1"] })
        #expect(port > 0)
        // With private addresses allowed the redirect is followed, which shows that it is one.
        await #expect(throws: EarshotError.self) {
            try await withTemporaryFolder { folder in
                _ = try await open.fetch(web.url("/a").absoluteString, into: folder, limit: 100)
            }
        }
        web.fail("/a", .redirect(to: "http://169.254.169.254/secret"))
        await #expect(throws: EarshotError.self) {
            try await withTemporaryFolder { folder in
                _ = try await fetcher.fetch(web.url("/a").absoluteString, into: folder, limit: 100)
            }
        }
    }

    @Test("what is larger than it may be is not kept")
    func fetchLimit() async throws {
        let web = try LoopbackServer()
        defer { web.stop() }
        web.publish(Data(count: 10_000), at: "/big")
        let fetcher = SafeFetcher(mayReachPrivateAddresses: true)
        try await withTemporaryFolder { folder in
            do {
                _ = try await fetcher.fetch(web.url("/big").absoluteString, into: folder, limit: 9_999)
                Issue.record("it was kept")
            } catch let error as EarshotError {
                #expect(error.code == .uploadTooLarge)
            }
            let file = try await fetcher.fetch(web.url("/big").absoluteString, into: folder, limit: 10_000)
            #expect(file.size == 10_000)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "uploads have no name")
        }
    }

    @Test("secrets are compared whole")
    func comparison() {
        #expect(Secrets.areEqual(Data([1, 2, 3]), Data([1, 2, 3])))
        #expect(!Secrets.areEqual(Data([1, 2, 3]), Data([1, 2, 4])))
        #expect(!Secrets.areEqual(Data([1, 2, 3]), Data([1, 2])))
        #expect(Secrets.areEqual(Data(), Data()))
        let bytes = Secrets.bytes(48)
        #expect(bytes.count == 48)
        #expect(Data(base64URL: bytes.base64URL) == bytes)
        #expect(Secrets.text(32) != Secrets.text(32))
    }
}
