import EarshotSignatures

/// Holds two sets of landmarks against each other.
enum LandmarkComparison {
    /// The share of landmarks that have a counterpart in others within 4 ms and half a bin.
    static func share(of landmarks: [Landmark], in others: [Landmark]) -> Double {
        let matched = landmarks.count { landmark in
            others.contains { other in
                abs(Int(other.time) - Int(landmark.time)) <= 2
                    && abs(Int(other.frequency) - Int(landmark.frequency)) <= 4
            }
        }
        return Double(matched) / Double(max(1, landmarks.count))
    }
}
