import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSQLite
import EarshotStations
import Foundation

@testable import EarshotServer

/// The folder of a monitor that follows two stations.
///
/// | station | what |
/// |---|---|
/// | `one`, Radio One | Lantern twice, of which the second goes on at the service's first instant; a break of a minute; its guide is channel 7 |
/// | `two`, Radio Two | Lantern once, a programme News six minutes after its time; days in Tokyo; its guide is channel 8 |
struct TestStations {
    let folder: URL
    let store: SQLitePlaylogStore
    let states: MonitorFolder
    let repeats: RepeatFolder
    var sources: StationSources

    /// The service's first instant, 2027-01-15T08:00:00Z.
    static let start = TestGuide.start

    static let one = StationDescription(id: "one", name: "Radio One", guide: "7")
    static let two = StationDescription(
        id: "two",
        name: "Radio Two",
        timeZone: TimeZone(identifier: "Asia/Tokyo") ?? .gmt,
        guide: "8"
    )

    init(_ folder: URL) async throws {
        self.folder = folder
        store = try SQLitePlaylogStore.inMemory()
        let state = folder.appendingPathComponent("state")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        states = MonitorFolder(state)
        repeats = RepeatFolder(folder.appendingPathComponent("repeats"))
        sources = StationSources(
            store: store,
            folder: states,
            repeats: repeats,
            stations: [Self.one, Self.two],
            webhooks: [WebhookStatus(name: "shop", address: "https://user:secret@shop.example/plays?key=secret")]
        )
        try await store.put(Self.plays)
        try await store.put([
            StreamGap(channel: Self.channel(Self.one), start: Self.start - 600, end: Self.start - 540),
            // Audio that was late, and none that was missed.
            StreamGap(channel: Self.channel(Self.one), start: Self.start - 60, end: Self.start - 60),
        ])
        try await store.note([
            DetectedInterval(channel: Self.channel(Self.one), start: Self.start - 3_000, end: Self.start),
            DetectedInterval(channel: Self.channel(Self.two), start: Self.start, end: Self.start + 3_600),
        ])
    }

    static func channel(_ station: StationDescription) -> PlayChannel {
        PlayChannel(id: station.id, name: station.name)
    }

    static var plays: [PlayRecord] {
        func play(
            _ station: StationDescription,
            _ begin: Double,
            _ end: Double,
            _ title: String,
            kind: PlayKind = .song,
            state: PlayState = .final
        ) -> PlayRecord {
            PlayRecord(
                channel: channel(station),
                start: start + begin,
                end: start + end,
                referenceID: ReferenceID(title.lowercased()),
                title: title,
                artist: kind == .song ? "The Tin Foxes" : nil,
                kind: kind,
                state: state
            )
        }
        return [
            play(one, -2_400, -2_220, "Lantern"), play(one, -120, 0, "Lantern", state: .provisional),
            play(one, -1_200, -1_170, "Soap", kind: .advertisement), play(two, -86_400, -86_200, "Lantern"),
            play(two, 360, 3_500, "News", kind: .programme),
        ]
    }

    /// Has the monitor tell its state, with one station on air and one that was lost.
    func tell(at date: Date) throws {
        var (first, second) = (MonitorStatus.Station(Self.one), MonitorStatus.Station(Self.two))
        (first.isLive, first.level, first.kind) = (true, -18.25, "music")
        (second.lostSince, second.fault) = (date - 30, "The stream ended.")
        try states.write(MonitorStatus(started: date - 3_600, date: date, stations: [first, second]))
    }

    /// Offers repeated audio with a recording.
    func offer() throws {
        let clips = repeats.url.appendingPathComponent("clips")
        try FileManager.default.createDirectory(at: clips, withIntermediateDirectories: true)
        try Data("RIFF, and what follows".utf8).write(to: clips.appendingPathComponent("repeat-1.wav"))
        let offered = """
            [{"channels":["one","two"],"clip":"clips/repeat-1.wav","count":3,"firstHeard":"2027-01-15T07:00:00.000Z",\
            "id":"repeat-1","kind":"music","lastHeard":"2027-01-15T07:50:00.000Z","length":12.5},
            {"channels":["one"],"clip":"../state/status.json","count":2,"firstHeard":"2027-01-15T07:00:00.000Z",\
            "id":"repeat-2","lastHeard":"2027-01-15T07:50:00.000Z","length":8}]
            """
        try Data(offered.utf8).write(to: repeats.offeredURL)
    }
}
