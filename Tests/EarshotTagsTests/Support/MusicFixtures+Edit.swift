import EarshotCore
import EarshotMedia
import EarshotTags
import TestSupport

extension MusicFixtures {
    /// An edit that changes the size of every kind of tag.
    static func edit(_ title: String = "Ein anderer Titel — 夜", picture: Int? = 30_000) throws -> TagEdit {
        var edit = TagEdit()
        try edit.set("TITLE", to: title)
        try edit.set("ARTIST", to: ["One", "Two"])
        if let picture { edit.set(TagPicture(bytes: self.picture(picture))) }
        return edit
    }
}
