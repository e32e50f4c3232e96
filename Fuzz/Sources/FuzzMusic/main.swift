// What is known of music, of arbitrary bytes: lines of MusicBrainz dumps, tables, lyrics, taxonomies, identifiers, dates and
// keys for searching. Each is read or refused with its own code; what was read is the same after writing and reading again.

import EarshotCore
import EarshotMusic
import Foundation
import LibFuzzer

let reader = MusicBrainzReader(descriptors: .init(.builtIn))

func dump(_ line: Data, _ kind: MusicBrainzReader.Kind) {
    do throws(EarshotError) {
        for change in try reader.changes(in: line, of: kind) {
            switch change {
            case .artist(let artist): again(artist)
            case .album(let album): again(album)
            case .track(let track): again(track)
            default: preconditionFailure("a dump holds nothing else")
            }
        }
    } catch {
        precondition(error.code == .metadataInvalid)
    }
}

/// A header and one row.
func table(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    do throws(EarshotError) {
        let table = try TrackTable(firstLine: Data(lines[0]))
        for change in try table.changes(in: Data(lines[table.hasHeader && lines.count > 1 ? 1 : 0])) {
            switch change {
            case .artist(let artist): again(artist)
            case .album(let album): again(album)
            case .track(let track): again(track)
            default: preconditionFailure("a row holds nothing else")
            }
        }
    } catch {
        precondition(error.code == .metadataInvalid)
    }
}

func words(_ bytes: [UInt8]) {
    do throws(EarshotError) {
        let file = try LRCFile(Data(bytes))
        let times = file.lines.compactMap(\.start)
        precondition(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        again(LyricsMatching.lyrics(file, artist: "a", title: "t", tracks: []))
    } catch {
        precondition(error.code == .metadataInvalid)
    }
}

func again<Entity: Codable & Equatable>(_ entity: Entity) {
    do {
        let read = try JSONDecoder().decode(Entity.self, from: JSONEncoder().encode(entity))
        precondition(read == entity)
    } catch {
        preconditionFailure("\(error)")
    }
}

func taxonomy(_ bytes: [UInt8]) {
    do throws(EarshotError) {
        let taxonomy = try Taxonomy(decoding: bytes, named: "input")
        let read = try Taxonomy(decoding: taxonomy.encoded(), named: "again")
        precondition(read == taxonomy)
        for node in taxonomy.nodes.prefix(20) { precondition(taxonomy.path(to: node.id).last?.id == node.id) }
    } catch {
        precondition(error.code == .taxonomyInvalid)
    }
}

func text(_ text: String) {
    let keys = SearchText(text)
    precondition(SearchText(keys.exact).exact == keys.exact)
    precondition(keys.tokens.allSatisfy { !$0.contains(" ") && !$0.isEmpty })
    for term in SearchQuery(text, isTyping: true).terms { precondition(!term.tokens.isEmpty) }
    for scheme in MusicIdentifier.Scheme.allCases {
        guard let identifier = MusicIdentifier(scheme, text) else { continue }
        again(identifier)
    }
    if let date = PartialDate(text) { precondition(PartialDate(date.description) == date) }
}

fuzz { bytes in
    let rest = Array(bytes.dropFirst())
    switch (bytes.first ?? 0) % 6 {
    case 0: dump(Data(rest), .artist)
    case 1: dump(Data(rest), .release)
    case 2: taxonomy(rest)
    case 3: if let string = String(validating: rest, as: UTF8.self) { text(string) }
    case 4: table(rest)
    default: words(rest)
    }
}
