import Earshot
import EarshotIngest

extension DuplicateNote {
    /// For a person.
    package var sentence: String {
        let percent = "\(Int((coverage * 100).rounded())) %"
        let what =
            switch Duplicate.Relation(rawValue: relation) {
            case .identical: "is identical with \(reference)"
            case .sameRecording: "is the same recording as \(reference)"
            case .excerpt: "is a part of \(reference)"
            case .extended: "has all of \(reference) in it"
            default: "has \(percent) in common with \(reference)"
            }
        return "\(id) \(what) (\(action))"
    }
}
