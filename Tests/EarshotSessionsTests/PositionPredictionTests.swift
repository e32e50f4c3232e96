import EarshotCatalogs
import EarshotCore
import Testing

@Suite("Predictions")
struct PositionPredictionTests {
    static func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value, preferredTimescale: 1_000_000) }

    let prediction = PositionPrediction(
        position: seconds(20),
        at: seconds(100),
        speedSkew: 0.05,
        referenceDuration: seconds(60),
        confirmedAt: seconds(105)
    )

    @Test("A prediction runs at the measured speed and stops at the end")
    func runs() {
        #expect(prediction.position(at: Self.seconds(110)) == Self.seconds(30.5))
        #expect(prediction.position(at: Self.seconds(80)) == Self.seconds(-1))
        #expect(prediction.position(at: Self.seconds(200)) == Self.seconds(60))
        #expect(prediction.hasEnded(at: Self.seconds(200)))
        #expect(!prediction.hasEnded(at: Self.seconds(110)))
        #expect(prediction.instant(of: Self.seconds(41)) == Self.seconds(120))
    }

    @Test("It is stale ten seconds after it was confirmed")
    func stale() {
        #expect(!prediction.isStale(at: Self.seconds(115)))
        #expect(prediction.isStale(at: Self.seconds(115.1)))
    }
}
