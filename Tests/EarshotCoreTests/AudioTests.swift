import EarshotCore
import TestSupport
import Testing

@Suite("Audio buffers and blocks")
struct AudioTests {
    @Test("A buffer knows its frames, layout and duration")
    func buffer() {
        let stereo = AudioBuffer([Float](repeating: 0, count: 882), sampleRate: 44_100, channelCount: 2)
        #expect(stereo.frameCount == 441)
        #expect(stereo.format == AudioFormat(sampleRate: 44_100, channelCount: 2, sampleType: .float32))
        #expect(stereo.duration == MediaTime(value: 1, timescale: 100))
        let mono = AudioBuffer([Int16](repeating: 0, count: 16), sampleRate: 8000)
        #expect(mono.frameCount == 16)
        #expect(mono.format.sampleType == .int16)
        #expect(mono.format.channelCount == 1)
        #expect(AudioBuffer([Float](), sampleRate: 8000).duration == .zero)
    }

    @Test("Blocks follow each other without a gap, at every rate")
    func blocks() {
        property("blocks") { generator in
            let rate =
                [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000].randomElement(using: &generator)
                ?? 8000
            var time = MediaTime(frames: 0, sampleRate: rate)
            var frames: Int64 = 0
            for _ in 0..<20 {
                let count = Int.random(in: 0...100, using: &generator)
                let block = AudioBlock(
                    AudioBuffer([Int16](repeating: 0, count: count * 2), sampleRate: rate, channelCount: 2),
                    at: time
                )
                frames += Int64(count)
                time = block.endTime
                guard time.value == frames, Int(time.timescale) == rate, !time.hasBeenRounded else { return false }
            }
            return true
        }
    }

    @Test("A block that starts between two samples ends between two")
    func oddStart() {
        let block = AudioBlock(
            AudioBuffer([Float](repeating: 0, count: 441), sampleRate: 44_100),
            at: MediaTime(value: 1, timescale: 600)
        )
        #expect(block.endTime == MediaTime(value: 7, timescale: 600))
    }

    @Test("Formats say what they are, and how wide a sample is")
    func formats() {
        #expect("\(AudioFormat(sampleRate: 44_100, channelCount: 2))" == "44100 Hz, 2 ch, float32")
        #expect(AudioFormat.SampleType.int16.byteCount == 2)
        #expect(AudioFormat.SampleType.float32.byteCount == 4)
    }
}
