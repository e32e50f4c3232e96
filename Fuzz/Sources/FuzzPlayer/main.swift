// What a Music Player Daemon sends, of arbitrary bytes in pieces of arbitrary size: the answers do not depend on the pieces, none follows a
// fault, and each song of an answer is read.

import EarshotCore
import EarshotMusic
import Foundation
import LibFuzzer

@testable import EarshotLibrary

let limits = MPDDecoder.Limits(line: 200, answer: 2_000, lines: 100)

fuzz { bytes in
    let size = Int(bytes.first ?? 0) + 1
    let sent = Array(bytes.dropFirst())
    var (whole, pieces) = (MPDDecoder(limits), MPDDecoder(limits))
    let answers = whole.append(sent)
    var rest = sent[...]
    var others: [MPDDecoder.Answer] = []
    while !rest.isEmpty {
        others += pieces.append(rest.prefix(size))
        rest = rest.dropFirst(size)
    }
    precondition(answers == others)
    for (place, answer) in answers.enumerated() {
        switch answer {
        case .greeting: precondition(place == 0)
        case .refused: break
        case .fault: precondition(place == answers.count - 1)
        case .done(let sections):
            for song in sections.flatMap(MPDSong.songs) {
                let item = MusicItem(song, in: "/music")
                precondition(item.duration.map { $0.seconds >= 0 } ?? true)
            }
        }
    }
}
