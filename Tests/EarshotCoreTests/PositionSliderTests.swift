import EarshotCore
import TestSupport
import Testing

@Suite("The slider of a player")
struct PositionSliderTests {
    private static let duration = MediaTime(value: 7_938_000, timescale: 44_100)

    @Test("What the player reports moves it, and not while it is dragged", .requirements("R-MR-095"))
    func dragging() {
        var slider = PositionSlider()
        slider.update(MediaTime(seconds: 45), of: Self.duration)
        #expect(slider.fraction == 0.25)
        slider.beginDragging()
        slider.update(MediaTime(seconds: 90), of: Self.duration)
        #expect(slider.isDragging && slider.fraction == 0.25)
        slider.drag(to: 0.75)
        slider.update(MediaTime(seconds: 91), of: Self.duration)
        #expect(slider.fraction == 0.75)
        #expect(slider.endDragging(scale: 600) == MediaTime(seconds: 135))
        slider.update(MediaTime(seconds: 90), of: Self.duration)
        #expect(slider.fraction == 0.5)
    }

    @Test("Its ends are the very begin and the very end, and it never leaves them")
    func ends() {
        var slider = PositionSlider()
        slider.update(MediaTime(seconds: 400), of: Self.duration)
        #expect(slider.fraction == 1)
        slider.beginDragging()
        slider.drag(to: 7)
        #expect(slider.endDragging(scale: 44_100) == Self.duration)
        slider.beginDragging()
        slider.drag(to: -.infinity)
        slider.drag(to: -3)
        #expect(slider.endDragging(scale: 44_100) == .zero)
    }

    @Test("Without a length it stands, and leads nowhere", .requirements("R-MR-091"))
    func withoutLength() {
        var slider = PositionSlider()
        slider.update(MediaTime(seconds: 3), of: .zero)
        slider.update(MediaTime(seconds: 3), of: .indefinite)
        #expect(slider.fraction == 0)
        slider.drag(to: 0.5)
        #expect(slider.fraction == 0 && slider.endDragging(scale: 600) == nil)
        slider.beginDragging()
        slider.drag(to: 0.5)
        #expect(slider.endDragging(scale: 600) == nil && !slider.isDragging)
    }
}
