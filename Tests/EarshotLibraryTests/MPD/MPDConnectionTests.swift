import EarshotCore
import Foundation
import Synchronization
import Testing

@testable import EarshotLibrary

@Suite("Connections to Music Player Daemons", .timeLimit(.minutes(1)))
struct MPDConnectionTests {
    /// Runs a test with a server, which is ended afterwards.
    private func withPlayer(
        greeting: String = "OK MPD 0.23.5\n",
        answerCount: Int = .max,
        answer: @escaping @Sendable (String) -> String,
        _ body: (ScriptedPlayer) async throws -> Void
    ) async throws {
        let player = try ScriptedPlayer(greeting: greeting, answerCount: answerCount, answer: answer)
        defer { player.stop() }
        try await body(player)
    }

    private func failure(_ address: String, clock: MediaClock = .system) async throws -> EarshotError? {
        let connection = MPDConnection(try MPDAddress(address), clock: clock)
        do throws(EarshotError) {
            _ = try await connection.exchange([MPDCommand("status")])
            return nil
        } catch {
            return error
        }
    }

    @Test("a daemon that is not there is named, with what to do")
    func absent() async throws {
        let error = try #require(try await failure("mpd:///nowhere/mpd/socket"))
        #expect(error.code == .storeUnavailable)
        #expect(error.message.contains("mpd:///nowhere/mpd/socket") && error.message.contains("start MPD"))
    }

    @Test("a daemon that does not answer is given up")
    func silent() async throws {
        try await withPlayer(answer: { _ in "" }) { player in
            // The clock goes on by a second with each look at it.
            let time = Mutex(Int64(0))
            let clock = MediaClock(
                read: {
                    time.withLock { time in
                        time += 1
                        return MediaTime(value: time, timescale: 1)
                    }
                },
                wait: { _ in }
            )
            let error = try #require(try await failure(player.path, clock: clock))
            #expect(error.code == .storeUnavailable && error.message.contains("does not answer"))
        }
    }

    @Test(
        "bytes of something else, and answers without an end, are refused",
        arguments: [
            ("HTTP/1.1 400 Bad Request\r\n", "", .storeUnavailable), ("OK MPD 1\n", "<html>\n", .malformedResponse),
            ("OK MPD 1\n", String(repeating: "x", count: 100_000), .malformedResponse),
            ("OK MPD 1\n", "ACK [4@0] {status} you don't have permission for \"status\"\n", .libraryAccessDenied),
            ("OK MPD 1\n", "ACK [50@0] {status} No such song\n", .assetUnavailable),
            ("OK MPD 1\n", "ACK [2@0] {status} Bad song index\n", .serviceFailure),
        ] as [(String, String, EarshotError.Code)]
    )
    func foreign(greeting: String, answer: String, code: EarshotError.Code) async throws {
        try await withPlayer(greeting: greeting, answer: { _ in answer }) { player in
            let error = try #require(try await failure(player.path))
            #expect(error.code == code && error.message.contains(player.path), "\(error.message)")
        }
    }

    @Test("a connection that the daemon closed is opened again, and the password is sent in each")
    func closed() async throws {
        try await withPlayer(answerCount: 2, answer: { $0.hasPrefix("password") ? "OK\n" : "state: stop\nOK\n" }) {
            player in
            let connection = MPDConnection(try MPDAddress("mpd://se%22cret@\(player.path)"), clock: .system)
            for count in 1...2 {
                let answer = try await connection.exchange([MPDCommand("status")])
                #expect(answer == [[MPDDecoder.Pair(name: "state", value: "stop")]])
                while player.closed < count { try await Task.sleep(for: .milliseconds(2)) }
            }
            #expect(player.lines == [#"password "se\"cret""#, "status", #"password "se\"cret""#, "status"])
        }
    }

    @Test("a wrong password is an error of each call")
    func password() async throws {
        let answer: @Sendable (String) -> String = {
            $0.hasPrefix("password") ? "ACK [3@0] {password} incorrect password\n" : "OK\n"
        }
        try await withPlayer(answer: answer) { player in
            let connection = MPDConnection(try MPDAddress("mpd://wrong@\(player.path)"), clock: .system)
            for _ in 0..<2 {
                let error = await #expect(throws: EarshotError.self) {
                    try await connection.exchange([MPDCommand("status")])
                }
                #expect(error?.code == .libraryAccessDenied && error?.message.contains("wrong@") == false)
            }
        }
    }

    @Test("waiting for a change ends when its task is canceled, and when the daemon goes")
    func waiting() async throws {
        try await withPlayer(answer: { _ in "" }) { player in
            let connection = MPDConnection(try MPDAddress(player.path), clock: .system)
            #expect(try await !connection.waitForChange(of: ["player"], atMost: .zero))
            let cancelled = Task { try await connection.waitForChange(of: ["player"], atMost: nil) }
            cancelled.cancel()
            let error = await #expect(throws: EarshotError.self) { try await cancelled.value }
            #expect(error?.code == .cancelled)
            let lost = Task { try await connection.waitForChange(of: ["player"], atMost: nil) }
            while player.lines.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
            player.stop()
            let loss = await #expect(throws: EarshotError.self) { try await lost.value }
            #expect(loss?.code == .storeUnavailable)
        }
    }

    @Test("a library of several pages is read to its end, each song once")
    func pages() async throws {
        let answer: @Sendable (String) -> String = { line in
            guard line.hasPrefix("find"),
                let start = line.split(separator: "\"").dropFirst(5).first?.split(separator: ":").first
            else { return "ACK [5@0] {} unknown command\n" }
            let first = Int(start) ?? 0
            // Of 4,500 songs, and of each page the last one again in the next.
            let begin = max(0, first - 1)
            let songs = (begin..<min(begin + 2_000, 4_500)).map { "file: \($0).ogg\n" }
            return songs.joined() + "OK\n"
        }
        try await withPlayer(answer: answer) { player in
            let items = try await MPDPlayer(try MPDAddress(player.path)).items()
            #expect(items.count == 4_500)
            #expect(items.indices.allSatisfy { items[$0].title == "\($0)" })
        }
    }
}
