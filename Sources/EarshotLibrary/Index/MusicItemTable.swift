import EarshotCore
import EarshotMusic
import Foundation

/// Items in rows of numbers, their texts in pools: a tenth of what as many items take.
struct MusicItemTable: Sendable {
    /// A row: numbers of texts, -1 where there is none.
    private struct Row: Sendable {
        var id: Int32 = -1
        var folder: Int32 = -1
        var file: Int32 = -1
        var kind: Int32 = -1
        var title: Int32 = -1
        /// The name of the file as a title, where there is no title.
        var fileTitle: Int32 = -1
        var artist: Int32 = -1
        var album: Int32 = -1
        var albumArtist: Int32 = -1
        var albumID: Int32 = -1
        var composer: Int32 = -1
        var genre: Int32 = -1
        /// 0 where it is absent, as no number of an item is.
        var disc: Int32 = 0
        var track: Int32 = 0
        var year: Int32 = 0
        var timescale: Int32 = 0
        var value: Int64 = 0
    }

    /// The titles of items, and the names of their artists and albums.
    private(set) var names = TextPool()
    private var ids = TextPool()
    /// The last parts of addresses, of which hardly two are the same; -1 in `rowOfID` is an identifier without a row.
    private var files = TextPool()
    private var rowOfID: [Int32] = []
    private var rows: [Row] = []
    /// Items that do not fit a row: with numbers beyond 32 bits, or addresses relative to others.
    private var unusual: [Int32: MusicItem] = [:]
    /// The number of items.
    private(set) var count = 0

    /// The number of rows whose items are gone.
    var deadCount: Int { rows.count - count }

    /// The row of an identifier; `nil` if there is none.
    func row(_ id: ItemID) -> Int32? {
        guard let number = ids.find(id.rawValue) else { return nil }
        let row = rowOfID[extending: number]
        return row < 0 ? nil : row
    }

    /// Adds an item whose identifier has no row.
    mutating func insert(_ item: MusicItem) -> Int32 {
        let number = Int32(rows.count)
        var row = Row()
        row.id = ids.number(of: item.id.rawValue)
        rowOfID[extending: row.id] = number
        row.title = text(item.title)
        row.artist = text(item.artist)
        row.album = text(item.album)
        row.albumArtist = text(item.albumArtist)
        row.albumID = text(item.albumID?.rawValue)
        row.composer = text(item.composer)
        row.genre = text(item.genre)
        row.kind = names.number(of: item.kind.rawValue)
        row.disc = Int32(clamping: item.discNumber ?? 0)
        row.track = Int32(clamping: item.trackNumber ?? 0)
        row.year = Int32(clamping: item.year ?? 0)
        if let duration = item.duration { (row.value, row.timescale) = (duration.value, duration.timescale) }
        if let url = item.assetURL {
            let address = url.absoluteString
            let cut = address.utf8.lastIndex(of: UInt8(ascii: "/")).map { address.utf8.index(after: $0) }
            row.folder = names.number(of: String(address[..<(cut ?? address.startIndex)]))
            row.file = files.number(of: String(address[(cut ?? address.startIndex)...]))
            if row.title < 0 { row.fileTitle = text(item.fileTitle) }
        }
        rows.append(row)
        count += 1
        // What comes out must be what went in.
        if self[number] != item || item.duration?.hasBeenRounded == true { unusual[number] = item }
        return number
    }

    /// Gives up a row. Its number is not used again.
    mutating func remove(_ row: Int32) {
        rowOfID[extending: rows[Int(row)].id] = -1
        rows[Int(row)] = Row()
        unusual[row] = nil
        count -= 1
    }

    /// The item of a row that was not given up.
    subscript(number: Int32) -> MusicItem {
        if let item = unusual[number] { return item }
        let row = rows[Int(number)]
        return MusicItem(
            id: ItemID(rawValue: ids[row.id]),
            assetURL: row.file < 0 ? nil : URL(string: names[row.folder] + files[row.file]),
            kind: MediaKind(rawValue: names[row.kind]),
            title: name(row.title),
            artist: name(row.artist),
            album: name(row.album),
            albumArtist: name(row.albumArtist),
            albumID: name(row.albumID).map { EntityID(rawValue: $0) },
            composer: name(row.composer),
            genre: name(row.genre),
            discNumber: row.disc == 0 ? nil : Int(row.disc),
            trackNumber: row.track == 0 ? nil : Int(row.track),
            year: row.year == 0 ? nil : Int(row.year),
            duration: row.timescale == 0 ? nil : MediaTime(value: row.value, timescale: row.timescale)
        )
    }

    /// The rows of items that are there, in the order in which they came.
    var all: some Sequence<Int32> { (0..<Int32(rows.count)).lazy.filter { rows[Int($0)].id >= 0 } }

    /// The numbers of a row's texts in ``names``; -1 where there is none.
    func title(_ row: Int32) -> Int32 { rows[Int(row)].title }
    /// The number of what an item is found by as a track: its title, or the name of its file.
    func trackName(_ row: Int32) -> Int32 { max(rows[Int(row)].title, rows[Int(row)].fileTitle) }
    /// Likewise.
    func artist(_ row: Int32) -> Int32 { rows[Int(row)].artist }
    /// Likewise.
    func album(_ row: Int32) -> Int32 { rows[Int(row)].album }
    /// Likewise.
    func albumArtist(_ row: Int32) -> Int32 { rows[Int(row)].albumArtist }
    /// Likewise.
    func albumID(_ row: Int32) -> Int32 { rows[Int(row)].albumID }
    /// Returns the place of a row on its album: the medium, 1 if none is named, and the number, 0 if there is none.
    func place(_ row: Int32) -> (disc: Int32, number: Int32) {
        (max(1, rows[Int(row)].disc), rows[Int(row)].track)
    }

    private mutating func text(_ text: String?) -> Int32 { text.map { names.number(of: $0) } ?? -1 }

    private func name(_ number: Int32) -> String? { number < 0 ? nil : names[number] }
}
