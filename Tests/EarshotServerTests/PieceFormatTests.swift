import Testing

@testable import EarshotServer

@Suite("Figures of pieces")
struct PieceFormatTests {
    @Test(
        "numbers are written as people read them, and those that are none do no harm",
        arguments: [
            (120.0, "120"), (90.5, "90.5"), (1e300, "1e+300"), (-1e19, "-1e+19"), (.infinity, "inf"), (.nan, "nan"),
        ]
    )
    func numbers(_ number: Double, _ text: String) { #expect(PieceFormat.number(number) == text) }

    @Test("lengths", arguments: [(65.2, "1:05"), (0, "0:00"), (1e300, "0:00"), (.nan, "0:00")])
    func lengths(_ seconds: Double, _ text: String) { #expect(PieceFormat.time(seconds) == text) }
}
