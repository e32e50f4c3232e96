import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation

// Draws the waveform of a song as SVG: peaks light, levels dark, a strip for each channel. The song is never whole in memory.
//
//   DrawWaveform SONG PICTURE.svg [WIDTH]
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
    FileHandle.standardError.write(Data("usage: DrawWaveform SONG PICTURE.svg [WIDTH]\n".utf8))
    exit(2)
}
let width = max(16, arguments.dropFirst(2).first.flatMap { Int($0) } ?? 800)

do {
    let reader = try await AssetReader(URL(fileURLWithPath: arguments[0]))
    var maker = WaveformMaker(sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount)
    for try await block in reader { maker.append(block.buffer) }
    let waveform = maker.waveform.fitted(to: width)

    let height = 100
    var svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(waveform.length)\" height=\"\(height * waveform.channelCount)\">\n"
    for channel in 0..<waveform.channelCount {
        var (peaks, levels) = ("", "")
        let middle = Float(height * channel + height / 2)
        let scale = Float(height / 2)
        for index in 0..<waveform.length {
            guard let run = waveform[index, channel: channel] else { continue }
            let (top, bottom) = (middle - run.maximum * scale, middle - run.minimum * scale)
            peaks += "M\(index) \(top)V\(bottom)"
            levels += "M\(index) \(middle - run.rms * scale)V\(middle + run.rms * scale)"
        }
        svg += "<path d=\"\(peaks)\" stroke=\"#8fb4d9\"/>\n<path d=\"\(levels)\" stroke=\"#1f4e79\"/>\n"
    }
    try Data((svg + "</svg>\n").utf8).write(to: URL(fileURLWithPath: arguments[1]), options: .atomic)
    print("\(waveform.length) columns of \(waveform.framesPerBucket) frames, \(waveform.duration.label)")
} catch {
    FileHandle.standardError.write(Data("DrawWaveform: \(error)\n".utf8))
    exit(1)
}
