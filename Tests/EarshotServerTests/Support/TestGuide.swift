import EarshotBroadcast
import EarshotMusic
import Foundation

/// What the test services know of television.
///
/// | channel | from | to | what |
/// |---|---|---|---|
/// | 7 | 20 minutes before the service's first instant | 40 minutes after it | programme `storm`, of the work `harbour` |
/// | 7 | then | an hour later | programme `news`, of no work |
/// | 8 | the service's first instant | an hour later | programme `news` |
enum TestGuide {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    static let seven: BroadcastChannel = {
        var channel = BroadcastChannel(id: "7", tag: "tag7", name: Name("Seven"), callSign: "SVN", number: "7")
        channel.externalIdentifiers = [ExternalIdentifier(source: "xmltv", kind: "channel", value: "seven.example")]
        return channel
    }()
    static let eight = BroadcastChannel(id: "8", name: Name("Eight"))

    static let harbour: VideoWork = {
        var work = VideoWork(id: "harbour", title: Name("Harbour"), kind: .film)
        work.subtitle = Name("The storm")
        work.duration = 40_000
        work.synopsis = Name("A storm comes.")
        work.credits = [VideoCredit(.director, "Ada Weir"), VideoCredit(.actor, "Bo Lund")]
        work.externalIdentifiers = [ExternalIdentifier(source: "imdb", kind: "title", value: "tt0000001")]
        return work
    }()

    static let storm: Program = {
        var program = Program(id: "storm", title: Name("Harbour"), subtitle: Name("The storm"), work: harbour.summary)
        program.credits = [VideoCredit(.director, "Ada Weir"), VideoCredit(.presenter, "Cy Vance")]
        program.externalIdentifiers = [ExternalIdentifier(source: "guide", kind: "program", value: "G1")]
        return program
    }()
    static let news = Program(id: "news", title: Name("News"))

    static var changes: [GuideChange] {
        func airing(_ begin: Double, _ end: Double, _ channel: BroadcastChannel, _ program: Program) -> GuideChange {
            .airing(Airing(start: start + begin, end: start + end, channel: channel, program: program))
        }
        return [
            .work(harbour), .channel(seven), .channel(eight), .program(storm), .program(news),
            airing(-1_200, 2_400, seven, storm), airing(2_400, 6_000, seven, news), airing(0, 3_600, eight, news),
        ]
    }
}
