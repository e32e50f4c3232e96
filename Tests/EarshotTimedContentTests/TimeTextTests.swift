import EarshotCore
import EarshotTimedContent
import TestSupport
import Testing

@Suite("Times as text")
struct TimeTextTests {
    @Test(
        "Times with colons, as seconds and with units",
        .requirements("R-CC-085"),
        arguments: [
            ("3:14", 194), ("1:02:03", 3723), ("194", 194), ("0", 0), ("0.25", 0.25), ("1:02:03.5", 3723.5),
            ("75:00", 4500), ("100:00:00", 360_000), ("90", 90), ("00:00:01.000001", 1.000001), ("3m14s", 194),
            ("1h2m3.5s", 3723.5), ("250ms", 0.25), ("90m", 5400), ("3m 14s", 194), ("1s250ms", 1.25), (" 3:14 ", 194),
            ("2H", 7200), ("1h5ms", 3600.005), ("0.0000005", 0.000001),
        ] as [(String, Double)]
    )
    func reads(text: String, seconds: Double) throws {
        #expect(try TimeText.time(text) == MediaTime(seconds: seconds, preferredTimescale: 1_000_000))
    }

    @Test(
        "What is no time is refused",
        .requirements("R-CC-086"),
        arguments: [
            "1:75:00", "1:00:75", "abc", "", " ", "1:2", "1:2:3", "1::2", ":", "1:", ":30", "1:02:03:04", "-1", "+1",
            "1.5:00", "1:02.5:03", "1e3", "1.", ".5", "1,5", "3s2m", "3m3m", "1m60s", "1h60m", "1s1000ms", "3x", "m",
            "3 m",
            "١٢", "1.5h", "nan", "inf", "1234567890", "360000.1", "100:00:01", "5s1", "1:02:٠٣",
        ]
    )
    func refuses(text: String) {
        #expect(code { _ = try TimeText.time(text) } == .timelineInvalid)
    }

    @Test("Times are written as short as they can be")
    func writes() {
        func text(_ seconds: Double) -> String {
            TimeText.string(MediaTime(seconds: seconds, preferredTimescale: 1_000_000))
        }
        #expect(text(194) == "3:14")
        #expect(text(3723.5) == "1:02:03.5")
        #expect(text(0.25) == "0:00.25")
        #expect(text(59.999999) == "0:59.999999")
        #expect(text(-1.5) == "-0:01.5")
        #expect(TimeText.string(.indefinite) == "--:--")
    }

    @Test("What was written is read again, to the microsecond")
    func roundTrip() {
        property("time text") { generator in
            let time = MediaTime(value: Int64.random(in: 0...360_000_000_000, using: &generator), timescale: 1_000_000)
            return try TimeText.time(TimeText.string(time)) == time
        }
    }

    @Test("Whatever the text, it is read or refused")
    func anyText() {
        let pieces = ["1", "59", "60", ":", ".", "h", "m", "s", "ms", " ", "-", "é", "999999999", "00"]
        property("any time text", rounds: 2000) { generator in
            let text = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            guard let time = try? TimeText.time(text) else { return true }
            return try time >= .zero && time <= Timeline.maximumTime && TimeText.time(TimeText.string(time)) == time
        }
    }
}
