import ArgumentParser
import CommandKit
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation

struct LibraryReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write a page that shows a collection: albums, covers, how sure each file is, and why.",
        discussion: """
            The page is one file without scripts; it needs nothing else and can be sent to others.

            EXAMPLES
              earshot library report ~/Music --catalog music.earcat -o music.html
            """
    )

    @OptionGroup var library: LibraryOptions

    @OptionGroup var destination: DestinationOptions

    func run() async throws {
        if let output = destination.file, !destination.replace, FileManager.default.fileExists(atPath: output) {
            throw AtomicFile.exists(URL(fileURLWithPath: output))
        }
        let (report, result, knowledge) = try await library.identify(withCovers: true)
        var parts: [LibraryPage.Part] = []
        for album in report.albums {
            let tracks = try await knowledge.tracks(of: album.albumID.map { EntityID<Album>($0) })
            parts.append(LibraryPage.Part(album: album, tracks: tracks, cover: await cover(of: album, knowledge)))
        }
        let page = LibraryPage(title: library.paths.joined(separator: ", "), parts: parts, report: report)
        if let output = destination.file {
            try AtomicFile.write(
                [UInt8](page.html.utf8),
                to: URL(fileURLWithPath: output),
                replacing: destination.replace
            )
        } else {
            Terminal.write(page.html, to: .standardOutput)
        }
        try LibraryReport.finish(result)
    }

    /// The cover's bytes as an address of their own. A page without a cover is better than none.
    private func cover(of album: LibraryReport.AlbumPart, _ knowledge: LibraryKnowledge) async -> String? {
        guard let address = album.cover, let answer = try? await knowledge.content.content(at: address),
            answer.status == 200, answer.bytes.count < 1 << 20, answer.mimeType.hasPrefix("image/")
        else { return nil }
        return "data:\(answer.mimeType);base64,\(answer.bytes.base64EncodedString())"
    }
}
