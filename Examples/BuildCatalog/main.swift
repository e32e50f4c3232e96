import Earshot
import EarshotIngest
import Foundation

// Builds a catalog from folders of music, or brings it up to date:
//
//   BuildCatalog music.earcat Music…
let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard arguments.count >= 2, let destination = arguments.first else { exit(2) }
let folders = Array(arguments.dropFirst())

var options = CatalogBuild.Options()
options.duplicates = .skip
let build = CatalogBuild(destination, options: options) { event in
    if case .read(let file, let audio) = event { print(file.lastPathComponent, audio.label) }
}
let isThere = FileManager.default.fileExists(atPath: destination.path)
let report = isThere ? try await build.update(from: folders) : try await build.create(from: folders)
for failure in report.skipped { print("left out:", failure.file, failure.message) }
for note in report.duplicates { print(note.id, "is like", note.reference) }
print("\(report.references) references, \(report.added) of them new")
