extension TransitionDetector {
    static let hidden = 8
    static let weights = [Float](repeating: 0, count: 127)
}
