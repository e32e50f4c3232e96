extension AudioClassifier {
    static let hidden = 24
    static let weights = [Float](repeating: 0, count: 2101)
}
