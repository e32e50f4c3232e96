import EarshotSignatures
import Foundation

/// Finds the places at which a stream goes over to other content: a channel change, the cut to an advert, the next song,
/// sound after silence.
///
/// Every 128 ms the sound of the two seconds before is compared with that of the one and a half seconds after. Where the
/// difference has a peak, a small network weighs how the two differ (`Comparison`). Its weights are in
/// `TransitionDetector+Weights.swift`, which `scripts/train/transitions` writes.
public struct TransitionDetector: Sendable {
    /// The least score of a transition.
    public static let threshold = 0.5

    /// Blocks of eight rows that lie between two transitions at least: 2.05 s.
    static let minimumDistance = 16
    static let before = 16
    static let after = 11
    /// A peak is higher than so many places before it and behind it.
    private static let reachBack = 10
    private static let reach = 5
    /// So many silent blocks, and sound after them, are a transition by themselves: 1 s.
    private static let silentBlocks = 8
    /// A pause of 0.64 s or more: what lies behind it is compared with silence only.
    private static let pauseBlocks = 5
    private static let kept = before + after + reach + 16

    /// A place that may be a transition.
    struct Candidate: Sendable {
        /// The first block of the new content.
        var block: Int
        var figures: [Float]
        var score: Double
    }

    private var firstBlock = 0
    private var blocks: [Block] = []
    /// The differences between both sides of a block's beginning, for the last blocks that have both sides.
    private var distances: [Float] = []
    private var last = Int.min / 2
    private let network = Network(inputs: Comparison.count, hidden: hidden, outputs: 1, values: weights)

    init() {}

    /// The content forgotten, as behind a gap.
    mutating func reset() {
        (firstBlock, blocks, distances, last) = (0, [], [], Int.min / 2)
    }

    /// Takes the newest block of rows.
    ///
    /// - Returns: The block with which new content begins, when the blocks after it have shown that.
    mutating func advance(_ frames: SpectralFrames, _ classifier: AudioClassifier) -> (block: Int, score: Double)? {
        guard let found = candidate(frames, classifier), found.score >= Self.threshold,
            found.block - last >= Self.minimumDistance
        else { return nil }
        last = found.block
        return (found.block, found.score)
    }

    /// Takes the newest block and gives the place, some blocks ago, that may be a transition.
    mutating func candidate(_ frames: SpectralFrames, _ classifier: AudioClassifier) -> Candidate? {
        blocks.append(Block(frames, firstRow: frames.rowCount - SpectralFrames.stepRows))
        if blocks.count > 2 * Self.kept {
            blocks.removeFirst(Self.kept)
            firstBlock += Self.kept
        }
        // The newest place with all of its later side known.
        let place = firstBlock + blocks.count - Self.after
        guard place >= firstBlock, place > 0 else { return nil }
        distances.append(Comparison.distance(side(place - Self.before, place), side(place, place + Self.after)))
        let count = Self.reachBack + Self.reach + 1
        if distances.count > count { distances.removeFirst() }
        guard distances.count == count else { return nil }
        let middle = place - Self.reach
        if isOnset(middle) { return Candidate(block: middle, figures: [], score: 1) }
        let height = distances[Self.reachBack]
        guard distances[..<Self.reachBack].allSatisfy({ $0 < height }),
            distances[(Self.reachBack + 1)...].allSatisfy({ $0 <= height })
        else { return nil }
        let (earlier, later) = (side(middle - Self.before, middle), side(middle, middle + Self.after))
        // Against silence there is nothing to compare with; that it begins or ends is told otherwise.
        // So is the edge of a pause, whose block is half of each.
        guard height > 0.5, earlier.count(where: \.isAudible) >= 5, later.count(where: \.isAudible) >= 8,
            !isPause(earlier), !isPause(later)
        else { return nil }
        let figures = Comparison.figures(earlier, later, middle, frames, classifier)
        let output = network.outputs(figures)[0]
        return Candidate(block: middle, figures: figures, score: 1 / (1 + exp(-Double(output))))
    }

    private func side(_ first: Int, _ end: Int) -> ArraySlice<Block> {
        blocks[max(0, first - firstBlock)..<max(0, end - firstBlock)]
    }

    /// Returns `true` if there is a long pause among blocks.
    private func isPause(_ blocks: ArraySlice<Block>) -> Bool {
        var run = 0
        for block in blocks {
            run = block.isAudible ? 0 : run + 1
            if run == Self.pauseBlocks { return true }
        }
        return false
    }

    private func isOnset(_ block: Int) -> Bool {
        let earlier = side(block - Self.silentBlocks, block)
        guard earlier.count == Self.silentBlocks, !earlier.contains(where: \.isAudible) else { return false }
        return side(block, block + 2).allSatisfy(\.isAudible)
    }
}
