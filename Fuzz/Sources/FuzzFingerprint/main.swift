// Compressed fingerprints of arbitrary text, and of arbitrary bytes as such text: refused, or good for everything that can be
// done with a fingerprint.

import EarshotCore
import EarshotFingerprints
import Foundation
import LibFuzzer

func exercise(_ text: String) {
    guard let fingerprint = try? FileFingerprint(text: text, duration: .zero) else { return }
    guard let again = try? FileFingerprint(text: fingerprint.text, duration: .zero) else {
        preconditionFailure("what was written is unreadable")
    }
    precondition(again == fingerprint)
    // Twice the text has room for one sub-fingerprint a character.
    precondition(fingerprint.values.count <= text.utf8.count * 2)
    let similarity = fingerprint.similarity(to: again)
    precondition((0...1).contains(similarity.score))
}

fuzz { bytes in
    exercise(String(decoding: bytes, as: UTF8.self))
    // As bytes, every input has the right alphabet.
    exercise(
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    )
}
