import EarshotCore
import TestSupport
import Testing

@Suite("Time: for people")
struct MediaTimeLabelTests {
    @Test(
        "Minutes and seconds with two digits",
        .requirements("R-MR-089"),
        arguments: [(185, "03:05"), (0, "00:00"), (9, "00:09"), (59, "00:59"), (60, "01:00"), (3599, "59:59")]
            as [(Int64, String)]
    )
    func minutes(seconds: Int64, label: String) {
        #expect(MediaTime(value: seconds, timescale: 1).label == label)
        #expect(MediaTime(value: seconds * 44_100, timescale: 44_100).label == label)
    }

    @Test(
        "Hours from one hour on",
        .requirements("R-MR-090"),
        arguments: [(4503, "1:15:03"), (3600, "1:00:00"), (36_000, "10:00:00"), (360_000, "100:00:00")]
            as [(Int64, String)]
    )
    func hours(seconds: Int64, label: String) {
        #expect(MediaTime(value: seconds, timescale: 1).label == label)
    }

    @Test("Parts of a second are dropped, also below zero")
    func parts() {
        #expect(MediaTime(value: 1199, timescale: 600).label == "00:01")
        #expect(MediaTime(value: -1500, timescale: 600).label == "-00:02")
        #expect(MediaTime(value: -1, timescale: 600).label == "00:00")
    }

    @Test("Dashes for what is no number")
    func dashes() {
        for time in [MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
            #expect(time.label == "--:--")
        }
    }

    @Test("The largest and smallest times have a label too")
    func extremes() {
        #expect(MediaTime(value: .max, timescale: 1).label == "2562047788015215:30:07")
        #expect(MediaTime(value: .min, timescale: 1).label == "-2562047788015215:30:08")
    }

    @Test("Value and scale for logs")
    func logs() {
        #expect("\(MediaTime(value: 74, timescale: 44_100))" == "74/44100")
        #expect("\(MediaTime.invalid) \(MediaTime.indefinite)" == "invalid indefinite")
        #expect("\(MediaTime.positiveInfinity) \(MediaTime.negativeInfinity)" == "+infinity -infinity")
    }
}
