import Earshot
import Foundation

// Makes a catalog of recordings whose timed content lies beside them, as NAME.json beside NAME.flac.
//
//     LessonCatalog OUT.earcat RECORDING...
//
// What such a file says under `metadata`, such as title, teacher and episode, becomes the properties of the media item.
let files = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard files.count >= 2, let destination = files.first else { exit(2) }

var catalog = Catalog()
for recording in files.dropFirst() {
    let sheet = recording.deletingPathExtension().appendingPathExtension("json")
    let timeline = try Timeline(data: Data(contentsOf: sheet), name: sheet.path)
    let properties = timeline.metadata.map { (MediaItemKey($0.key), $0.value) }
    let item = try MediaItem(properties: Dictionary(uniqueKeysWithValues: properties)).with(timeline: timeline)
    let signature = try await SignatureGenerator.signature(from: AssetReader(recording))
    let id = recording.deletingPathExtension().lastPathComponent
    try catalog.add(signature, representing: [item], id: ReferenceID(id))
    print("\(id): \(item.title ?? "untitled"), \(signature.duration.label), \(timeline.entries.count) entries")
}
try catalog.write(to: destination, replacing: true)
