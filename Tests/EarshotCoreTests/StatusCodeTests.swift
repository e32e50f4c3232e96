import EarshotCore
import TestSupport
import Testing

@Suite("Codes of lower layers")
struct StatusCodeTests {
    @Test(
        "Four characters are shown with the number, anything else as the number",
        .requirements("R-MR-098"),
        arguments: [
            (1_718_449_215, "'fmt?', 1718449215"), (-50, "-50"), (0, "0"), (-1_094_995_529, "'INDA', -1094995529"),
            (.min, "-2147483648"), (.max, "2147483647"), (0x7F61_6263, "2137088611"),
        ] as [(Int32, String)]
    )
    func shown(_ number: Int32, _ text: String) {
        #expect(StatusCode(number).description == text)
    }
}
