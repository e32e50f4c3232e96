import Earshot
import EarshotAPI
import EarshotBroadcast
import EarshotClient
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("A service for television, by its commands")
struct BroadcastServiceTests {
    private func admin(_ arguments: [String], _ data: URL) async throws -> Tool.Outcome {
        let outcome = try await Workshop.earshot.run(["admin"] + arguments + ["--data", data.path])
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome
    }

    private func identifier(_ outcome: Tool.Outcome) -> String {
        outcome.output.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    }

    /// A guide in which channel seven shows something now.
    private func guide(_ url: URL) throws {
        func text(_ date: Date) -> String { "\(date.ISO8601Format().filter(\.isNumber)) +0000" }
        let (start, stop) = (Date() - 600, Date() + 6_000)
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <tv><channel id="seven"><display-name>Seven</display-name></channel>
            <programme start="\(text(start))" stop="\(text(stop))" channel="seven">
            <title>Boats</title></programme></tv>
            """.utf8
        ).write(to: url)
    }

    @Test("a guide, a bundle, a license and a channel's feed reach an app, and a copy has them too")
    func whole() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot tv \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.appendingPathComponent("data")
        let service = try await RunningService(data: data)
        let earshot = Workshop.earshot
        let music = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg").path

        let xml = folder.appendingPathComponent("guide.xml")
        try guide(xml)
        let database = data.appendingPathComponent("guide.sqlite").path
        #expect(try await earshot.run(["epg", "import", xml.path, "--guide", database]).status == 0)

        let bundle = folder.appendingPathComponent("ads.earbundle").path
        #expect(try await earshot.run(["bundle", "build", music, "-o", bundle, "--id", "ads"]).status == 0)
        #expect(try await admin(["bundle", "add", bundle], data).output.contains("ads"))

        let client = identifier(try await admin(["client", "add", "App", "--search", "television,archive"], data))
        let id = String(client.prefix(8))
        _ = try await admin(["quota", id, "--users", "1"], data)
        let license = try await admin(["licence", id, "--service", service.base.absoluteString, "--days", "1"], data)
        let context = try ServiceContext(license: license.output)
        let registration = try await context.register(try ClientIdentifier(client), appVersion: "1")
        #expect(try await context.status(registration).registrations.remaining == 0)
        let app = try context.service(registration)
        #expect(try await app.airings(from: Date(), to: Date() + 1).map(\.program.title.text) == ["Boats"])

        // The command and the app fetch the same bytes.
        let fetched = folder.appendingPathComponent("got.earbundle")
        let options = ["--server", service.base.absoluteString, "--client", client]
        let fetch = try await earshot.run(["bundle", "fetch", "ads", "-o", fetched.path] + options)
        #expect(fetch.status == 0, "\(fetch.errors)")
        #expect(try Data(contentsOf: fetched) == Data(contentsOf: URL(fileURLWithPath: bundle)))
        #expect(try await earshot.run(["bundle", "fetch", "none"] + options).status == 1)

        // A channel that is fed is heard, and where in the programme it is.
        let feeder = identifier(try await admin(["client", "add", "Feeds", "--references"], data))
        let samples = try await Recordings.audio(URL(fileURLWithPath: music), seconds: 20..<32)
        let channel = folder.appendingPathComponent("seven.wav")
        try Recordings.wave(samples).write(to: channel)
        let feed = try await earshot.run([
            "monitor", "feed", "seven", "--file", channel.path, "--server", service.base.absoluteString, "--client",
            feeder,
        ])
        #expect(feed.status == 0 && feed.errors.contains("pieces of seven"), "\(feed.errors)")
        // Who may not, and what may not be, is told at once, and not when the channel ends.
        let long = folder.appendingPathComponent("long.wav")
        try Recordings.wave([Float](repeating: 0, count: 16_000 * 600)).write(to: long)
        for (name, id) in [("seven", client), ("", feeder)] {
            let refused = try await earshot.run([
                "monitor", "feed", name, "--file", long.path, "--server", service.base.absoluteString, "--client", id,
            ])
            #expect(refused.status == 1 && !refused.errors.isEmpty, "\(name): \(refused.errors)")
        }
        let folderAsBundle = try await earshot.run(["admin", "bundle", "add", folder.path, "--data", data.path])
        #expect(folderAsBundle.status == 1 && folderAsBundle.errors.contains("is a folder"))
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(Array(samples[48_000..<160_000]), sampleRate: 16_000))
        let answer = try await app.recognizeBroadcast(RecognitionQuery(generator.signature()), ContentPreferences())
        #expect(answer.source == .television)
        #expect(answer.matches.first?.airing?.program.title.text == "Boats")

        let copy = folder.appendingPathComponent("copy")
        _ = try await admin(["backup", copy.path], data)
        #expect(await service.stop() == 0)
        let other = folder.appendingPathComponent("other")
        _ = try await admin(["restore", copy.path, "--yes"], other)
        #expect(try await admin(["bundle", "list"], other).output.contains("ads"))
        let now = try await earshot.run(["epg", "now", "--guide", other.appendingPathComponent("guide.sqlite").path])
        #expect(now.output.contains("Boats"))
        #expect(try await admin(["check"], other).output.contains("Nothing is wrong"))
    }
}
