package import EarshotAPI
package import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotTags
package import Foundation

/// A task that decodes one file of a media folder or reads its tags.
///
/// A service sends it as JSON to a separate process; tests run it in their own.
package enum FileTask: Sendable, Codable {
    /// An ``EarshotAPI/AssetRecord`` as JSON, without identifier and size.
    case record
    /// The bytes of a ``WaveformFile``.
    case waveform(framesPerBucket: Int)
    /// The samples, as ``SampleRequest`` writes them.
    case samples(SampleRequest)
    /// An ``EarshotAPI/ExportRecord/Plan`` as JSON.
    case plan(ExportRequest, destination: URL)
    /// Lines with a ``FileExport/Report`` as JSON, the last of which contains the outcome. The task also creates the file.
    case export(FileExport)
    /// A ``FolderReading`` as JSON.
    case reading
    /// The digest of all encoded audio, an ``EarshotLibrary/AudioKey`` as JSON.
    case digest
    /// ``FileAnalyses`` as JSON. The values are the names of the analyzers, and the identifier and the stamp of the item.
    case analyses([String], item: String, stamp: String)

    /// Runs the task.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - analyzers: The analyzers that the task can use.
    ///   - write: Called with the next bytes of the result.
    /// - Throws: Errors of opening and decoding, and of `write`.
    package func run(on url: URL, analyzers: [any AudioAnalyzer], write: (Data) throws -> Void) async throws {
        switch self {
        case .record:
            let asset = try await Self.blocking { cancellation throws(EarshotError) in
                try Asset.loadBlocking(url, cancellation: cancellation)
            }
            try write(JSONEncoder().encode(AssetRecord(asset)))
        case .waveform(let frames):
            let waveform = try await Self.blocking { cancellation throws(EarshotError) in
                let decoder = try AudioDecoder(url, cancellation: cancellation)
                var maker = WaveformMaker(
                    sampleRate: decoder.format.sampleRate,
                    channelCount: decoder.format.channelCount,
                    framesPerBucket: frames
                )
                while let block = try decoder.next() { maker.append(block.buffer) }
                return maker.waveform
            }
            try write(WaveformFile.data(of: waveform))
        case .samples(let request): try await request.run(on: url, write: write)
        case .plan(let request, let destination):
            let session = try FileExport.session(url, request, to: destination)
            try write(JSONEncoder().encode(ExportRecord.Plan(try await session.plan())))
        case .export(let export):
            let outcome = try await export.run(on: url) { try write(FileExport.Report.progress($0).line()) }
            try write(FileExport.Report.finished(outcome).line())
        case .reading:
            try write(JSONEncoder().encode(FolderReading(try await FolderReader.files.read(url.path, nil))))
        case .digest: try write(JSONEncoder().encode(try await FolderReader.files.digest(url.path)))
        case .analyses(let names, let item, let stamp):
            let wanted = analyzers.filter { names.contains($0.name) }
            let item = LibraryAnalysis.Item(id: item, url: url, stamp: stamp)
            let (records, seconds) = try await LibraryAnalysis.records(of: item, by: wanted)
            try write(JSONEncoder().encode(FileAnalyses(records: records, seconds: seconds)))
        }
    }

    /// `true` if the whole file is decoded, which takes longer.
    var isWhole: Bool {
        switch self {
        case .record, .plan, .reading: false
        case .waveform, .samples, .digest, .analyses, .export: true
        }
    }

    private static func blocking<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws(EarshotError) -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await BlockingWork.run(on: .global(qos: .userInitiated), cancelling: cancellation) {
            () throws(EarshotError) in
            try work(cancellation)
        }.get()
    }
}

/// The results of the analyses of a file.
package struct FileAnalyses: Sendable, Codable {
    /// A record of each analyzer.
    let records: [AnalysisRecord]
    /// The duration of the analyzed audio, in seconds.
    let seconds: Double
}

/// The data that a library reads from a file, for the transfer between processes.
struct FolderReading: Sendable, Codable {
    /// Pairs of the name and the value of a tag.
    let tags: [[String]]
    let duration: MediaTime
    let audio: AudioKey

    init(_ reading: FolderReader.Reading) {
        tags = reading.tags.names.map { [$0, reading.tags[$0] ?? ""] }
        (duration, audio) = (reading.duration, reading.audio)
    }

    var reading: FolderReader.Reading {
        let pairs = tags.compactMap { pair in pair.count == 2 ? (pair[0], pair[1]) : nil }
        return FolderReader.Reading(tags: Tags(pairs), duration: duration, audio: audio)
    }
}
