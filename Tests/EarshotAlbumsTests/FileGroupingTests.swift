import EarshotCatalogs
import EarshotRecognition
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("Groups of files")
struct FileGroupingTests {
    private func file(
        _ path: String,
        album: String? = nil,
        artist: String? = nil,
        number: Int? = nil,
        disc: Int? = nil
    ) -> FileAttributes {
        var file = FileAttributes(id: path)
        file.path = path.split(separator: "/").map(String.init)
        (file.album, file.artist, file.trackNumber, file.discNumber) = (album, artist, number, disc)
        return file
    }

    private func ids(_ groups: [[FileAttributes]]) -> [[String]] { groups.map { $0.map(\.id) } }

    @Test("a folder is a group, and its discs belong to it", .requirements("R-MC-099"))
    func folders() {
        let files = ["A/One/2.mp3", "A/One/1.mp3", "A/Two/CD1/1.mp3", "A/Two/CD2/1.mp3", "B/1.mp3"].map { file($0) }
        #expect(
            ids(FileGrouping().groups(files))
                == [["A/One/1.mp3", "A/One/2.mp3"], ["A/Two/CD1/1.mp3", "A/Two/CD2/1.mp3"], ["B/1.mp3"]]
        )
    }

    @Test("discs at the top, and those named with their album, belong together")
    func discs() {
        let top = ["CD1/1.mp3", "CD2/1.mp3"].map { file($0) }
        #expect(ids(FileGrouping().groups(top)) == [["CD1/1.mp3", "CD2/1.mp3"]])
        let named = ["A/Rail CD 1/1.mp3", "A/Rail CD 2/1.mp3", "A/Rail (Disc 3)/1.mp3", "A/Rail Live/1.mp3"].map {
            file($0)
        }
        #expect(
            ids(FileGrouping().groups(named))
                == [["A/Rail CD 1/1.mp3", "A/Rail CD 2/1.mp3", "A/Rail (Disc 3)/1.mp3"], ["A/Rail Live/1.mp3"]]
        )
        let tagged = [1, 2].flatMap { (disc: Int) in
            (1...3).map { (number: Int) in
                file("A/Rail/CD\(disc)/\(number).mp3", album: "Rail", artist: "Foxes", number: number)
            }
        }
        #expect(FileGrouping().groups(tagged).count == 1)
    }

    @Test("a heap of five thousand singles is fifty questions, and one that is spelt differently goes with its album")
    func heap() {
        let files = (1...5_000).map { (number: Int) in
            file("heap/\(number).mp3", album: "Album \(number) of somebody", artist: "Artist \(number)")
        }
        let groups = FileGrouping().groups(files)
        #expect(groups.map(\.count) == Array(repeating: 100, count: 50))
        let album = (1...9).map { (number: Int) in
            file("A/\(number).mp3", album: number == 4 ? "Mrng Rl" : "Morning Rail", artist: "Foxes", number: number)
        }
        #expect(FileGrouping().groups(album).count == 1)
    }

    @Test("two albums in one folder are two groups, and one album in two folders is one", .requirements("R-MC-099"))
    func tags() {
        let one = (1...3).map { (number: Int) in
            file("X/\(number).mp3", album: "Morning Rail", artist: "Foxes", number: number)
        }
        let two = (4...6).map { (number: Int) in
            file("X/\(number).mp3", album: "Evening Rail", artist: "Foxes", number: number)
        }
        let rest = (4...5).map { (number: Int) in
            file("Y/\(number).mp3", album: "Morning rail", artist: "Foxes", number: number)
        }
        let groups = ids(FileGrouping().groups(one + two + rest))
        #expect(groups.count == 2)
        #expect(groups.contains(["X/1.mp3", "X/2.mp3", "X/3.mp3", "Y/4.mp3", "Y/5.mp3"]))
        // Without tags folders remain.
        let plain = ids(FileGrouping(evidence: [.names]).groups(one + two + rest))
        #expect(plain.map(\.count) == [6, 2])
    }

    @Test("albums of one name are of two artists, and copies of one album are two groups", .requirements("R-MC-099"))
    func names() {
        let hits = ["Foxes", "Owls"].flatMap { (artist: String) in
            (1...2).map { (number: Int) in
                file("\(artist)/\(number).mp3", album: "Greatest Hits", artist: artist, number: number)
            }
        }
        #expect(FileGrouping().groups(hits).count == 2)
        let copies = ["mp3", "flac"].flatMap { (kind: String) in
            (1...2).map { (number: Int) in
                file("\(kind)/\(number).\(kind)", album: "Rail", artist: "Foxes", number: number)
            }
        }
        #expect(FileGrouping().groups(copies).count == 2)
    }

    @Test("no group is larger than a question may be", .requirements("R-MC-099"))
    func capacity() {
        let files = (1...7).map { (number: Int) in
            file("A/\(number).mp3", album: "Rail", artist: "Foxes", number: number)
        }
        #expect(FileGrouping(limit: 3).groups(files).map(\.count) == [3, 3, 1])
        // Folders stay whole where they fit.
        let discs = (1...2).flatMap { disc in
            (1...3).map { (number: Int) in file("A/CD\(disc)/\(number).mp3", album: "Rail", artist: "F") }
        }
        #expect(FileGrouping(limit: 4).groups(discs).map(\.count) == [3, 3])
    }

    @Test("files without an album join the only one of their folder")
    func untagged() {
        let tagged = file("A/1.mp3", album: "Rail", artist: "Foxes", number: 1)
        #expect(FileGrouping().groups([tagged, file("A/2.mp3")]).map(\.count) == [2])
        let other = file("A/3.mp3", album: "Storm", artist: "Foxes", number: 3)
        #expect(FileGrouping().groups([tagged, other, file("A/2.mp3")]).map(\.count) == [3])
        // Beside two albums they are a group of their own.
        let albums = ["Rail", "Storm"].flatMap { (album: String) in
            (1...3).map { (number: Int) in
                file("A/\(album) \(number).mp3", album: album, artist: "Foxes", number: number)
            }
        }
        #expect(FileGrouping().groups(albums + [file("A/2.mp3")]).map(\.count).sorted() == [1, 3, 3])
    }

    @Test("every file is in one group")
    func whole() {
        property("groups") { generator in
            let names = ["Rail", "Storm", "rail", "Rail (Live)", nil]
            let files = (0..<Int.random(in: 0...30, using: &generator)).map { number in
                file(
                    "\(Int.random(in: 0...2, using: &generator))/CD\(Int.random(in: 1...2, using: &generator))/\(number).mp3",
                    album: names.randomElement(using: &generator) ?? nil,
                    artist: ["Foxes", nil].randomElement(using: &generator) ?? nil,
                    number: Bool.random(using: &generator) ? number : nil
                )
            }
            let limit = Int.random(in: 1...10, using: &generator)
            let groups = FileGrouping(limit: limit).groups(files)
            return groups.flatMap(\.self).map(\.id).sorted() == files.map(\.id).sorted()
                && groups.allSatisfy { (1...limit).contains($0.count) }
        }
    }
}
