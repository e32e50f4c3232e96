import Crypto
import EarshotAPI
import EarshotCore
import EarshotRecognition
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Tokens")
struct TokenTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func issuer(lifetime: Double = 3_600) async throws -> TokenIssuer {
        try await issuer(on: try SQLiteAccountStore.inMemory(), lifetime: lifetime)
    }

    private func issuer(
        on accounts: any AccountStore,
        lifetime: Double = 3_600,
        wrapping: KeyWrapping? = nil,
        at now: Date = Self.now,
        clock: MediaClock = .system
    ) async throws -> TokenIssuer {
        let keyring = try await Keyring(
            accounts,
            wrapping: wrapping,
            memory: lifetime,
            keyLifetime: 86_400,
            at: now,
            clock: clock
        )
        return TokenIssuer(keyring: keyring, lifetime: lifetime)
    }

    /// The code with which a token is refused; `nil` if it is accepted.
    private func refusal(_ token: String, _ issuer: TokenIssuer, at now: Date = Self.now) async -> EarshotError.Code? {
        do throws(EarshotError) {
            _ = try await issuer.bearer(of: token, at: now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a token speaks for its client and its user")
    func roundTrip() async throws {
        let issuer = try await issuer()
        let both = try await issuer.bearer(
            of: await issuer.token(client: "12", user: "ada", at: Self.now),
            at: Self.now
        )
        #expect(both == TokenIssuer.Bearer(client: "12", user: "ada", issued: Self.now))
        let alone = try await issuer.bearer(of: await issuer.token(client: "12", user: nil, at: Self.now), at: Self.now)
        #expect(alone == TokenIssuer.Bearer(client: "12", user: nil, issued: Self.now))
    }

    @Test("a token that another library has written with the members in another order stays valid")
    func otherOrder() throws {
        let key = "58a57308ff4713c2687b2193ba98a3873c1e36c42a9bbf41611b1dd2184a3c8f"
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(key.dropFirst($0).prefix(2), radix: 16) }
        let text =
            "eyJraWQiOiJrZXlcLzE3OTU1NzQxNDgtVkRDUUJWIiwiYWxnIjoiSFMyNTYiLCJ0eXAiOiJKV1QifQ."
            + "eyJhdWQiOiJlYXJzaG90IiwiZXhwIjoxNzk1NTc5MTgzLjgwMTQzMDIsInN1YiI6IjEzMzU3NzgyIiwiaWF0IjoxNzk1NTc1NTgzLjgwMTQzMDJ9."
            + "9WKwOjtQSwEU3pGrS2vbc1wX6pOlJ91jtPQE__fL7-E"
        let token = try #require(WebToken(text))
        #expect(token.key == "key/1795574148-VDCQBV")
        let claims = try #require(token.claims(sealedWith: Seal(key: Data(bytes))))
        #expect(claims.sub == "13357782")
        #expect(claims.uid == nil)
        #expect(claims.exp - claims.iat == 3_600)
    }

    @Test("an expired token is refused, and one from the future")
    func times() async throws {
        let issuer = try await issuer(lifetime: 100)
        let token = try await issuer.token(client: "12", user: nil, at: Self.now)
        #expect(await refusal(token, issuer, at: Self.now + 99) == nil)
        #expect(await refusal(token, issuer, at: Self.now + 100) == .tokenRejected)
        // Clocks differ a little.
        #expect(await refusal(token, issuer, at: Self.now - 60) == nil)
        #expect(await refusal(token, issuer, at: Self.now - 61) == .tokenRejected)
    }

    @Test("a token of another service's key is refused, also under the name of this one's")
    func otherKey() async throws {
        let (issuer, other) = (try await issuer(), try await issuer())
        let token = try await issuer.token(client: "12", user: nil, at: Self.now)
        #expect(await refusal(token, other) == .tokenRejected)
        let name = try #require(WebToken(token)).key
        let claims = WebToken.Claims(
            sub: "12",
            exp: Self.now.timeIntervalSince1970 + 60,
            iat: Self.now.timeIntervalSince1970
        )
        let forged = try WebToken.text(claims, key: name, seal: Seal(key: Secrets.bytes(32)))
        #expect(await refusal(forged, issuer) == .tokenRejected)
    }

    /// A token with a header of any text, signed with a key of the issuer's name.
    private func token(header: String, payload: String? = nil, seal: Seal, like token: String) -> String {
        let parts = token.split(separator: ".")
        let content =
            Data(header.utf8).base64URL + "." + (payload.map { Data($0.utf8).base64URL } ?? String(parts[1]))
        return content + "." + seal.code(for: content).base64URL
    }

    @Test("a rightly signed token with another header or another payload than the service's is refused")
    func headers() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let issuer = try await issuer(on: accounts)
        let name = try #require(try await accounts.valueNames(beginning: "key/").first)
        let seal = Seal(key: try #require(try await accounts.value(name)))
        let good = try await issuer.token(client: "12", user: nil, at: Self.now)
        let standard = #"{"alg":"HS256","kid":"\#(name)","typ":"JWT"}"#
        #expect(await refusal(token(header: standard, seal: seal, like: good), issuer) == nil)
        let headers = [
            #"{"alg":"none","kid":"\#(name)","typ":"JWT"}"#, #"{"alg":"HS512","kid":"\#(name)","typ":"JWT"}"#,
            #"{"alg":"hs256","kid":"\#(name)","typ":"JWT"}"#, #"{"kid":"\#(name)","typ":"JWT"}"#,
            #"{"alg":"HS256","kid":"\#(name)"}"#, #"{"alg":"HS256","typ":"JWT"}"#,
            #"{"alg":"HS256","kid":"key/1","typ":"JWT"}"#, #"{"alg":"HS256","kid":7,"typ":"JWT"}"#,
            #"{"alg":"HS256","crit":"exp","kid":"\#(name)","typ":"JWT"}"#, "[]", "", "{}", "null",
        ]
        for header in headers {
            #expect(await refusal(token(header: header, seal: seal, like: good), issuer) == .tokenRejected, "\(header)")
        }
        let payloads = [
            "{}", "", #"{"aud":"other","exp":1900000000,"iat":1,"sub":"12"}"#,
            #"{"aud":"earshot","iat":1,"sub":"12"}"#, #"{"aud":"earshot","exp":"never","iat":1,"sub":"12"}"#,
            #"{"aud":"earshot","exp":1900000000,"iat":1}"#, #"{"aud":"earshot","exp":1900000000,"iat":1,"sub":12}"#,
        ]
        for payload in payloads {
            let text = token(header: standard, payload: payload, seal: seal, like: good)
            #expect(await refusal(text, issuer) == .tokenRejected, "\(payload)")
        }
    }

    @Test("a token without a signature, cut short, padded or changed anywhere is refused")
    func damage() async throws {
        let issuer = try await issuer()
        let token = try await issuer.token(client: "12", user: "ada", at: Self.now)
        let parts = token.split(separator: ".").map(String.init)
        var damaged = [
            "", ".", "..", "...", parts[0], "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).", token + ".",
            token + "=", token + "A", token + ".\(parts[2])", "\(parts[0])=.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(parts[2])====", " " + token, token + "\n", "." + token,
            token + String(repeating: "A", count: 4_096), "\(parts[0]).\(parts[0]).\(parts[2])",
        ]
        for count in stride(from: 0, to: token.count, by: 7) { damaged.append(String(token.prefix(count))) }
        for text in damaged { #expect(await refusal(text, issuer) == .tokenRejected, "\(text)") }
        // Each character counts, also the last one of a part, of which some bits say nothing.
        for place in token.indices where token[place] != "." {
            for other in ["A", "B", "_", "z"] where String(token[place]) != other {
                var text = token
                text.replaceSubrange(place...place, with: other)
                guard await refusal(text, issuer) == nil else { continue }
                Issue.record("accepted with \(other) at \(token.distance(from: token.startIndex, to: place))")
            }
        }
    }

    /// A token that whoever has the newest key of an issuer signs.
    private func token(_ issuer: TokenIssuer, issued: Date, lifetime: Double, key: Keyring.Key? = nil) throws -> String
    {
        let key = key ?? issuer.keyring.newest
        let claims = WebToken.Claims(
            sub: "12",
            exp: issued.timeIntervalSince1970 + lifetime,
            iat: issued.timeIntervalSince1970
        )
        return try WebToken.text(claims, key: key.name, seal: key.tokens)
    }

    @Test(
        "a token that is signed with a stolen key is refused where it holds for longer than the service lets tokens hold"
    )
    func stolenKey() async throws {
        let issuer = try await issuer()
        #expect(await refusal(try token(issuer, issued: Self.now, lifetime: 3_600), issuer) == nil)
        #expect(await refusal(try token(issuer, issued: Self.now, lifetime: 3_601), issuer) == .tokenRejected)
        #expect(await refusal(try token(issuer, issued: Self.now, lifetime: 1e9), issuer) == .tokenRejected)
        #expect(await refusal(try token(issuer, issued: Self.now, lifetime: 1e300), issuer) == .tokenRejected)
        // Nothing is older than the key that signed it.
        #expect(await refusal(try token(issuer, issued: Self.now - 61, lifetime: 3_600), issuer) == .tokenRejected)
    }

    @Test("a key that was replaced signs nothing from then on; what it signed before holds until it expires")
    func replacedKey() async throws {
        let issuer = try await issuer()
        let old = issuer.keyring.newest
        let before = try await issuer.token(client: "12", user: nil, at: Self.now)
        try await issuer.keyring.renew(revoking: false, at: Self.now + 600)
        let replaced = try #require(try await issuer.keyring.key(old.name, at: Self.now + 600))
        #expect(await refusal(before, issuer, at: Self.now + 1_000) == nil)
        let late = try token(issuer, issued: Self.now + 700, lifetime: 3_600, key: replaced)
        #expect(await refusal(late, issuer, at: Self.now + 1_000) == .tokenRejected)
        try await issuer.keyring.rotate(at: Self.now + 600 + 3_601)
        #expect(issuer.keyring.accepted.map(\.name) == [issuer.keyring.newest.name])
    }

    @Test("a renewal that revokes ends tokens at once, also those of another process on the same store")
    func revocation() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let (one, other) = (try await issuer(on: accounts), try await issuer(on: accounts))
        let token = try await one.token(client: "12", user: nil, at: Self.now)
        #expect(await refusal(token, other) == nil)
        try await ServiceKeys.renew(in: accounts, wrapping: nil, revoking: true, at: Self.now + 10)
        try await one.keyring.reload()
        #expect(await refusal(token, one, at: Self.now + 11) == .tokenRejected)
        // The other one has not looked yet: a token of the new key makes it look.
        let new = try await one.token(client: "12", user: nil, at: Self.now + 11)
        #expect(await refusal(new, other, at: Self.now + 11) == nil)
        #expect(await refusal(token, other, at: Self.now + 11) == .tokenRejected)
        #expect(try await accounts.valueNames(beginning: "key/").count == 1)
    }

    @Test("a reading of the store that began before a renewal does not bring keys back that it ended")
    func lateReading() async throws {
        let issuer = try await issuer()
        let token = try await issuer.token(client: "12", user: nil, at: Self.now)
        let reading = issuer.keyring.beginReading()
        let before = Array(issuer.keyring.accepted.reversed())
        try await issuer.keyring.renew(revoking: true, at: Self.now + 10)
        issuer.keyring.keep(before, of: reading)
        #expect(issuer.keyring.newest.name != before.last?.name)
        #expect(await refusal(token, issuer, at: Self.now + 10) == .tokenRejected)
    }

    @Test(
        "however many tokens come of keys that are not known, the store is read once a second, and the right ones are accepted"
    )
    func unknownKeys() async throws {
        let accounts = try TestAccounts()
        let time = ManualClock()
        let one = try await issuer(on: accounts)
        let other = try await issuer(on: accounts, clock: time.clock)
        try await one.keyring.renew(revoking: true, at: Self.now + 10)
        let token = try await one.token(client: "12", user: nil, at: Self.now + 10)
        let name = try #require(WebToken(token)).key
        let forged = (0..<20).map { "\(name.dropLast(2))\(10 + $0)" }
        let readings = accounts.calls("valueNames")
        let done = Counter()
        let refusals = try await withThrowingTaskGroup(of: (kid: String, code: EarshotError.Code?).self) { group in
            for kid in forged + Array(repeating: name, count: 20) {
                var text = token
                if kid != name {
                    let claims = WebToken.Claims(sub: "12", exp: 2e9, iat: Self.now.timeIntervalSince1970)
                    text = try WebToken.text(claims, key: kid, seal: Seal(key: Secrets.bytes(32)))
                }
                group.addTask { [text] in
                    let code = await refusal(text, other, at: Self.now + 10)
                    done.add()
                    return (kid, code)
                }
            }
            while done.count < 40 {
                await Task.yield()
                // However many wait, one sleeps until the store may be read again.
                guard time.sleeperCount > 0 else { continue }
                #expect(time.sleeperCount == 1)
                time.advance(by: 1)
            }
            return try await group.reduce(into: [(kid: String, code: EarshotError.Code?)]()) { $0.append($1) }
        }
        for (kid, code) in refusals { #expect(code == (kid == name ? nil : .tokenRejected), "\(kid)") }
        let count = accounts.calls("valueNames") - readings
        #expect((1...Int(time.now.seconds)).contains(count))
    }

    @Test("a token of a key that cannot be newer than those that are known has nothing read")
    func oldKeys() async throws {
        let accounts = try TestAccounts()
        let issuer = try await issuer(on: accounts)
        let readings = accounts.calls("valueNames")
        let made = Int(Self.now.timeIntervalSince1970)
        for kid in [
            "key/\(made)-ABCDEF", "key/\(made - 86_400)-ABCDEF", "key/\(made + 61)-ABCDEF", "key/x", "", "last-key",
            "key/nan-ABCDEF", "key/inf-ABCDEF", "admin",
        ] {
            let claims = WebToken.Claims(sub: "12", exp: 2e9, iat: Self.now.timeIntervalSince1970)
            let text = try WebToken.text(claims, key: kid, seal: Seal(key: Secrets.bytes(32)))
            #expect(await refusal(text, issuer) == .tokenRejected, "\(kid)")
        }
        #expect(accounts.calls("valueNames") == readings)
    }

    @Test("a token of one node is accepted by another one at once after a new key, whatever that one has read before")
    func nodes() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let (one, other) = (try await issuer(on: accounts), try await issuer(on: accounts))
        for number in 1...2 {
            let now = Self.now + Double(number) * 86_400
            try await other.keyring.reload()
            try await one.keyring.renew(revoking: true, at: now)
            let token = try await one.token(client: "12", user: nil, at: now)
            #expect(await refusal(token, other, at: now) == nil)
        }
    }

    @Test("nodes that start at once on an empty store, and rotate at once, make one key", arguments: 0..<10)
    func oneKey(round: Int) async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let issuers = try await withThrowingTaskGroup(of: TokenIssuer.self) { group in
            for number in 0..<8 {
                group.addTask { try await issuer(on: accounts, at: Self.now + Double(number)) }
            }
            return try await group.reduce(into: [TokenIssuer]()) { $0.append($1) }
        }
        #expect(try await accounts.valueNames(beginning: "key/").count == 1)
        #expect(Set(issuers.map(\.keyring.newest.name)).count == 1)
        // Clocks differ.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, issuer) in issuers.enumerated() {
                group.addTask { try await issuer.keyring.rotate(at: Self.now + 86_430 + Double(number)) }
            }
            try await group.waitForAll()
        }
        #expect(try await accounts.valueNames(beginning: "key/").count == 2)
        #expect(Set(issuers.map(\.keyring.newest.name)).count == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for issuer in issuers {
                group.addTask { try await issuer.keyring.renew(revoking: true, at: Self.now + 90_000) }
            }
            try await group.waitForAll()
        }
        // Each is asked for one after another, or all for one.
        for issuer in issuers { try await issuer.keyring.reload() }
        #expect(try await accounts.valueNames(beginning: "key/") == [issuers[0].keyring.newest.name])
        let tokens = try await issuers[0].token(client: "12", user: nil, at: Self.now + 90_010)
        for issuer in issuers { #expect(await refusal(tokens, issuer, at: Self.now + 90_010) == nil) }
    }

    @Test("a key that a node has named and not kept is kept by the next one, or another one is named after a minute")
    func unfinishedKey() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let name = "key/\(Int(Self.now.timeIntervalSince1970))-ABCDEF"
        try await accounts.setValue(Data(name.utf8), for: "last-key")
        #expect(try await issuer(on: accounts, at: Self.now + 59).keyring.newest.name == name)
        let later = try SQLiteAccountStore.inMemory()
        try await later.setValue(Data(name.utf8), for: "last-key")
        #expect(try await issuer(on: later, at: Self.now + 60).keyring.newest.name != name)
        #expect(try await later.valueNames(beginning: "key/").count == 1)
    }

    @Test("a new key signs when the other nodes have read it, and at once when it is the only one")
    func signing() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let issuer = try await issuer(on: accounts)
        let first = issuer.keyring.newest.name
        let now = Self.now + 600
        try await issuer.keyring.renew(revoking: false, at: now)
        let second = issuer.keyring.newest.name
        #expect(second != first)
        for (age, name) in [(0.0, first), (9, first), (10, second), (-59, first), (-60, second)] {
            #expect(issuer.keyring.signing(at: now + age).name == name, "\(age)")
        }
        let token = try await issuer.token(client: "12", user: nil, at: now + 9)
        #expect(WebToken(token)?.key == first)
        #expect(await refusal(token, issuer, at: now + 3_600) == nil)
        try await issuer.keyring.renew(revoking: true, at: now + 20)
        #expect(issuer.keyring.signing(at: now + 20).name == issuer.keyring.newest.name)
    }

    @Test("nothing is signed with a key that another node has ended")
    func endedKey() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let time = ManualClock()
        let other = try await issuer(on: accounts, clock: time.clock)
        let ended = other.keyring.newest.name
        try await ServiceKeys.renew(in: accounts, wrapping: nil, revoking: true, at: Self.now + 10)
        time.advance(by: 1)
        let token = try await other.token(client: "12", user: nil, at: Self.now + 10)
        #expect(try #require(WebToken(token)).key != ended)
    }

    @Test("a service whose key was made while the clock was ahead serves on when it is set back")
    func clockSetBack() async throws {
        let issuer = try await issuer()
        let now = Self.now - 7_200
        let token = try await issuer.token(client: "12", user: nil, at: now)
        #expect(await refusal(token, issuer, at: now + 600) == nil)
        #expect(await refusal(token, issuer, at: now + 3_600) == .tokenRejected)
    }

    @Test("keys are encrypted with a key outside of the store, and read with no other")
    func wrapping() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let open = try await issuer(on: accounts)
        let token = try await open.token(client: "12", user: nil, at: Self.now)
        let wrapping = KeyWrapping(key: Data(repeating: 7, count: 32))
        let closed = try await issuer(on: accounts, wrapping: wrapping)
        #expect(await refusal(token, closed) == nil)
        try await closed.keyring.renew(revoking: false, at: Self.now)
        for name in try await accounts.valueNames(beginning: "key/") {
            let value = try #require(try await accounts.value(name))
            #expect(KeyWrapping.isWrapped(value))
            #expect(try KeyWrapping.unwrapped(value, name: name, with: wrapping).count == 32)
            // A value in the place of another is none.
            #expect(throws: EarshotError.self) { try KeyWrapping.unwrapped(value, name: name + "x", with: wrapping) }
        }
        for other in [nil, KeyWrapping(key: Data(repeating: 8, count: 32))] {
            await #expect(throws: EarshotError.self) { try await issuer(on: accounts, wrapping: other) }
        }
    }

    @Test(
        "a command does not encrypt the keys of a service that keeps them as they are, and could not read the new one"
    )
    func commandWithKeyFile() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let service = try await issuer(on: accounts)
        let wrapping = KeyWrapping(key: Data(repeating: 7, count: 32))
        await #expect(throws: EarshotError.self) {
            try await ServiceKeys.renew(in: accounts, wrapping: wrapping, revoking: true, at: Self.now)
        }
        try await service.keyring.reload()
        #expect(try await accounts.valueNames(beginning: "key/") == [service.keyring.newest.name])
        // Once the service has begun with the file, the command takes it.
        _ = try await issuer(on: accounts, wrapping: wrapping)
        try await ServiceKeys.renew(in: accounts, wrapping: wrapping, revoking: true, at: Self.now + 1)
        #expect(try await issuer(on: accounts, wrapping: wrapping).keyring.accepted.count == 1)
    }

    @Test(
        "a key file has 32 bytes, as they are, in base64 or as hexadecimal digits",
        arguments: [
            (Data(repeating: 200, count: 32), true),
            (Data("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n".utf8), true),
            (Data(String(repeating: "0f", count: 32).utf8), true), (Data(), false),
            (Data(repeating: 1, count: 31), false),
            (Data("correct horse battery staple".utf8), false), (Data(String(repeating: "0g", count: 32).utf8), false),
        ]
    )
    func keyFile(_ content: Data, _ isKey: Bool) {
        #expect((KeyWrapping.key(content)?.count == 32) == isKey)
    }
}

/// Counts.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
