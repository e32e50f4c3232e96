import EarshotAPI
import EarshotCore
import EarshotFingerprints
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Bodies of AcoustID's protocol")
struct AcoustIDBodyTests {
    /// Bytes as gzip without compression: blocks that are stored, as any reader takes them.
    private func stored(_ bytes: [UInt8]) -> Data {
        var data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        func append(_ number: UInt32, _ count: Int) {
            for shift in 0..<count { data.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(shift)))) }
        }
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            data.append(rest.isEmpty ? 1 : 0)
            append(UInt32(block.count), 2)
            append(~UInt32(block.count), 2)
            data.append(contentsOf: block)
        } while !rest.isEmpty
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        append(~sum, 4)
        append(UInt32(truncatingIfNeeded: bytes.count), 4)
        return data
    }

    @Test("a gzip body is read, and one that would grow too large is refused")
    func gzip() async throws {
        try await TestService.run { service in
            let keys = try await service.acoustIDKeys()
            let form =
                "format=json&client=\(keys.client)&duration=200&fingerprint=\(try FileFingerprint.madeUp(1).text)&meta=recordings"
            let type = "application/x-www-form-urlencoded"
            func send(_ body: Data) async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v2/lookup",
                    type: type,
                    body: body,
                    headers: [("Content-Encoding", "gzip")]
                )
            }
            let whole = stored(Array(form.utf8))
            let reply = try await send(whole)
            #expect(reply.status == 200)
            #expect(try reply.decoded(AcoustIDAnswer.self).results?.isEmpty == true)
            let large = Array(repeating: UInt8(ascii: "a"), count: AcoustIDBody.limit + 1)
            // Without the macro, which would show two million bytes.
            var refusal: EarshotError.Code?
            do throws(EarshotError) {
                _ = try CompressedBody.unpacked([UInt8](stored(large)), limit: AcoustIDBody.limit)
            } catch {
                refusal = error.code
            }
            #expect(refusal == .uploadTooLarge)
            let exact = Array(large.dropLast())
            let isWhole = try CompressedBody.unpacked([UInt8](stored(exact)), limit: AcoustIDBody.limit) == exact
            #expect(isWhole)
            let huge = try await service.ask(.POST, "/v2/lookup", type: type, body: Data(large))
            #expect((huge.status, try huge.decoded(AcoustIDAnswer.self).error?.code) == (413, 19))
        }
    }

    @Test("a body that is damaged or in another encoding is the fault of whoever sent it")
    func unreadableBodies() async throws {
        try await TestService.run { service in
            let whole = stored(Array("format=json&client=x".utf8))
            var wrongSum = whole
            wrongSum[whole.count - 5] ^= 1
            let bodies: [(Data, String, String)] = [
                (whole.prefix(whole.count - 20), "gzip", "gzip"), (wrongSum, "gzip", "gzip"),
                (Data("format=json".utf8), "gzip", "gzip"), (Data([0]), "x-gzip", "gzip"),
                (whole, "br", "encoding"),
            ]
            for (body, encoding, named) in bodies {
                let reply = try await service.ask(
                    .POST,
                    "/v2/lookup",
                    type: "application/x-www-form-urlencoded",
                    body: body,
                    headers: [("Content-Encoding", encoding)]
                )
                let fault = try reply.decoded(AcoustIDAnswer.self).error
                #expect((reply.status, fault?.code) == (400, 2), "\(encoding), \(body.count) bytes")
                #expect(fault?.message.contains(named) == true)
            }
        }
    }

    /// Bytes as gzip that unpack to a hundred and fifty times as many.
    private func bomb(_ count: Int) -> Data {
        var data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        var (bits, filled) = (UInt32(0), UInt32(0))
        func put(_ value: UInt32, _ width: UInt32) {
            bits |= value << filled
            filled += width
            while filled >= 8 {
                data.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                filled -= 8
            }
        }
        // One block, the last, of fixed codes; codes stand with their highest bit first.
        put(0b011, 3)
        // `a`, of code 0x91.
        put(0b1000_1001, 8)
        // 258 bytes, of code 0xC5, again from one byte back, of code 0.
        for _ in 0..<count / 258 { put(0b1010_0011, 8 + 5) }
        put(0, 7)
        put(0, 7)
        return data
    }

    @Test("a small body that unpacks to much is refused, and costs no more than the limit")
    func bombs() async throws {
        try await TestService.run { service in
            let small = bomb(64 << 20)
            #expect(small.count < 512 << 10)
            let reply = try await service.ask(
                .POST,
                "/v2/lookup",
                type: "application/x-www-form-urlencoded",
                body: small,
                headers: [("Content-Encoding", "gzip")]
            )
            #expect((reply.status, try reply.decoded(AcoustIDAnswer.self).error?.code) == (413, 19))
            #expect(try await service.ask(.GET, "/_health").status == 200)
        }
    }

    @Test("a damaged gzip stream is a failure, never a trap")
    func damagedGzip() {
        let whole = [UInt8](stored(Array("a=b&c=d".utf8)))
        property("damaged gzip") { random in
            let damaged = random.mutated(whole)
            let read = try? CompressedBody.unpacked(damaged, limit: 1 << 16)
            return (read?.count ?? 0) <= 1 << 16
        }
    }
}
