import EarshotCore
import EarshotMedia
import EarshotPieces
import Foundation

/// Gives the parts of a drum loop when they are asked for.
struct LoopProviders: DropProviders {
    let pattern: Pattern
    let text: String
    private let sampleRate = 44_100

    /// The loop once round, as WAV.
    func mixStem(for draft: PieceDraft) async throws -> AudioBundle {
        try await AudioBundle(.wave, wave(pattern.render(sampleRate: Double(sampleRate))))
    }

    /// Each drum alone: who opens the loop can leave one out.
    func stems(for draft: PieceDraft) async throws -> [PieceStem] {
        var stems: [PieceStem] = []
        for (drum, samples) in pattern.stems(sampleRate: Double(sampleRate)) {
            let sound = try await AudioBundle(.wave, wave(samples))
            stems.append(PieceStem(name: drum.name, sound: PackagedAudio(sound)))
        }
        return stems
    }

    /// The loop four times, faded out: for people who look for pieces.
    func preview(for draft: PieceDraft) async throws -> AudioBundle? {
        let once = pattern.render(sampleRate: Double(sampleRate))
        var samples = Array([[Float]](repeating: once, count: 4).joined())
        let fade = once.count
        for place in 0..<fade { samples[samples.count - fade + place] *= 1 - Float(place) / Float(fade) }
        return try await AudioBundle(.wave, wave(samples))
    }

    func cover(for draft: PieceDraft) async throws -> CoverImage? {
        try CoverImage(Data(LoopCover.png(pattern)))
    }

    /// The pattern itself: what another drum machine goes on with.
    func attachment(for draft: PieceDraft) async throws -> AttachmentBundle? {
        try AttachmentBundle(fileName: "pattern.txt", mediaType: "text/plain", bytes: Data(text.utf8))
    }

    private func wave(_ samples: [Float]) async throws -> Data {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("drum-loop-\(UUID().uuidString).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        let buffer = AudioBuffer(samples, sampleRate: sampleRate)
        let writer = try AssetWriter(to: file)
        let input = try writer.addInput(buffer.format)
        try await writer.start()
        try await input.append(AudioBlock(buffer, at: .zero))
        input.finish()
        _ = try await writer.finish()
        return try Data(contentsOf: file)
    }
}
