// Finds music by text at a recognition service, and nothing else: FindMusic http://127.0.0.1:8080 12345678-TAG moon river
//
// An app like this needs neither a microphone nor a decoder, and carries neither.

import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let url = URL(string: arguments[1]) else {
    print("Usage: FindMusic SERVICE CLIENT WORDS…")
    exit(2)
}
do {
    let configuration = try ClientConfiguration(clientIdentifier: arguments[2])
    let client = RecognitionClient(service: HTTPRecognitionService(url, configuration: configuration))
    let words = arguments.dropFirst(2).joined(separator: " ")
    let result = try await client.result(of: .text(MusicQuery(words)), configuration)
    for match in result.matches {
        print([match.artist.name, match.track.title, match.album.title].compactMap(\.self).joined(separator: " – "))
    }
    if result.matches.isEmpty { print("Nothing was found.") }
} catch {
    print(error.failureKind.text())
    exit(1)
}
