import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation

// Converts the songs of a folder, two at a time, and shows how far each is. Exports tell of their progress on any thread; what is
// shown belongs to the main actor, as a user interface does.
//
//   ConvertFolder FOLDER RESULTS [TYPE]
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let type = FileType(fileExtension: arguments.dropFirst(2).first ?? "flac") else {
    FileHandle.standardError.write(Data("usage: ConvertFolder FOLDER RESULTS [TYPE]\n".utf8))
    exit(2)
}

/// What is on the screen: a line for each song.
@MainActor
final class Board {
    private var shares: [String: Int] = [:]

    func show(_ song: String, _ progress: ExportProgress) {
        let share = Int((progress.fraction ?? 0) * 100)
        let last = shares[song] ?? 0
        guard share >= last + 25 || share == 100 && last < 100 else { return }
        shares[song] = share
        print("\(song): \(share) %, \(progress.byteCount) bytes")
    }

    func show(_ song: String, _ outcome: ExportOutcome?) {
        print("\(song): \(outcome?.description ?? "")")
    }
}

@MainActor
func show(_ reports: AsyncStream<ExportProgress>, of song: String, on board: Board) async {
    for await progress in reports { board.show(song, progress) }
}

let (folder, results) = (URL(fileURLWithPath: arguments[0]), URL(fileURLWithPath: arguments[1]))
do {
    try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let board = Board()
    let limit = ExportLimit(2)
    await withTaskGroup(of: Void.self) { group in
        for name in names where !name.hasPrefix(".") {
            group.addTask {
                let song = folder.appendingPathComponent(name)
                guard await Asset.canOpen(song) else { return }
                let result = results.appendingPathComponent(song.deletingPathExtension().lastPathComponent)
                    .appendingPathExtension(type.fileExtensions[0])
                let session = ExportSession(song, to: result, tags: .tagLib, limit: limit)
                // The closure may be called on any thread, and only hands over to the main actor, which takes them in order.
                let (reports, reported) = AsyncStream.makeStream(of: ExportProgress.self)
                session.onProgress { reported.yield($0) }
                async let shown: Void = show(reports, of: name, on: board)
                _ = try? await session.export()
                reported.finish()
                await shown
                await board.show(name, session.outcome)
            }
        }
    }
} catch {
    FileHandle.standardError.write(Data("ConvertFolder: \(error)\n".utf8))
    exit(1)
}
