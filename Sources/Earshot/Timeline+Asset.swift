public import EarshotCore
public import EarshotMedia
public import EarshotTimedContent
import Foundation

extension Timeline {
    /// Creates a timeline from the chapters of a media file: one entry for each, all in lane 0.
    ///
    /// A chapter whose end is not after its start becomes an entry without an end.
    ///
    /// - Throws: `timelineInvalid` if the file has no chapters, or one begins before zero or beyond 360,000 s.
    public init(chaptersOf asset: Asset) throws(EarshotError) {
        let name = asset.url.lastPathComponent
        guard !asset.chapters.isEmpty else {
            throw EarshotError(.timelineInvalid, "\(name) has no chapters: name a file of timed content.")
        }
        let entries = asset.chapters.enumerated().map { index, chapter in
            TimedEntry(
                id: String(index + 1),
                title: chapter.title ?? "",
                start: chapter.start,
                end: chapter.end.isNumeric && chapter.end > chapter.start ? chapter.end : nil
            )
        }
        do {
            try self.init(entries)
        } catch {
            throw EarshotError(error.code, "\(name): \(error.message)", cause: error.cause)
        }
    }
}
