// Playlists of arbitrary bytes in every format: each is read, or refused as `metadataInvalid`; what was read can be written and
// read again.

import EarshotCore
import EarshotLibrary
import Foundation
import LibFuzzer

let base = URL(fileURLWithPath: "/music/list.m3u")
let formats: [PlaylistFormat] = [.m3u, .m3u8, .pls, .xspf]

fuzz { bytes in
    let format = formats[Int(bytes.first ?? 0) % formats.count]
    do throws(EarshotError) {
        let playlist = try PlaylistReader().playlist(in: Data(bytes.dropFirst()), format: format, base: base)
        let writer = PlaylistWriter(base: base)
        for (data, format) in [(writer.m3u8(playlist), PlaylistFormat.m3u8), (writer.xspf(playlist), .xspf)] {
            let again = try PlaylistReader().playlist(in: data, format: format, base: base)
            precondition(again.entries.count <= playlist.entries.count)
        }
    } catch {
        precondition(error.code == .metadataInvalid)
    }
}
