import Earshot
import Foundation

// Builds a catalog from the audio files named first, then says what the last one is.
let files = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard files.count >= 2, let clip = files.last else { exit(2) }
let songs = files.dropLast()

var catalog = Catalog()
for song in songs {
    let signature = try await SignatureGenerator.signature(from: AssetReader(song))
    try catalog.add(signature, representing: [MediaItem(try await Asset.load(song))])
}
let query = try await SignatureGenerator.signature(from: AssetReader(clip))
let match = try catalog.match(query)
for item in match?.mediaItems ?? [] {
    print(item.title ?? "?", "at", item.matchOffset.seconds, "s, confidence", item.confidence)
}
if match == nil { print("Nothing matched.") }
