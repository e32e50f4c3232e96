import Dispatch
import EarshotCore
import EarshotMedia
import Foundation

/// Decodes one file once, for several analyzers.
struct FileAnalysis: Sendable {
    let item: LibraryAnalysis.Item
    let analyzers: [any AudioAnalyzer]

    /// Runs the analyzers, and returns their records and the seconds of sound that this took.
    ///
    /// - Throws: `cancelled`. All else is a record.
    func records() async throws(EarshotError) -> (records: [AnalysisRecord], seconds: Double) {
        guard let url = item.url else {
            let error = EarshotError(
                .assetUnavailable,
                "\(item.id) has no file here: bring it here, or leave it out."
            )
            return (failures(error), 0)
        }
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: .global(qos: .utility), cancelling: cancellation) {
            () throws(EarshotError) in
            try records(url, cancellation)
        }
        return try result.get()
    }

    /// A record of each analyzer that says why nothing could be heard.
    func failures(_ error: EarshotError) -> [AnalysisRecord] {
        analyzers.map { record($0, .failure(code: error.code.rawValue, message: error.message)) }
    }

    private func record(_ analyzer: any AudioAnalyzer, _ outcome: AnalysisRecord.Outcome) -> AnalysisRecord {
        AnalysisRecord(
            item: item.id,
            analyzer: analyzer.name,
            version: analyzer.version,
            stamp: item.stamp,
            outcome: outcome
        )
    }

    /// An analyzer knows no names: the file's is put before what it says.
    private func failure(_ error: EarshotError) -> AnalysisRecord.Outcome {
        let name = item.url?.path ?? item.id
        let message = error.message.contains(name) ? error.message : "\(name): \(error.message)"
        return .failure(code: error.code.rawValue, message: message)
    }

    private func records(
        _ url: URL,
        _ cancellation: Cancellation
    ) throws(EarshotError) -> (records: [AnalysisRecord], seconds: Double) {
        do throws(EarshotError) {
            return try heard(AudioDecoder(url, cancellation: cancellation))
        } catch  where error.code != .cancelled {
            // What a file that breaks off has said so far is of another file.
            return (failures(error), 0)
        }
    }

    private func heard(_ decoder: AudioDecoder) throws(EarshotError) -> (records: [AnalysisRecord], seconds: Double) {
        var records: [AnalysisRecord] = []
        var running: [(analyzer: any AudioAnalyzer, analysis: any AudioAnalysis)] = []
        for analyzer in analyzers {
            do throws(EarshotError) {
                running.append((analyzer, try analyzer.begin(decoder.format, duration: decoder.assetDuration)))
            } catch {
                records.append(record(analyzer, failure(error)))
            }
        }
        var seconds = 0.0
        while let block = try decoder.next() {
            for index in running.indices { running[index].analysis.append(block) }
            seconds += block.buffer.duration.seconds
        }
        for index in running.indices {
            do throws(EarshotError) {
                let result = try running[index].analysis.finish()
                records.append(record(running[index].analyzer, .result(result)))
            } catch {
                records.append(record(running[index].analyzer, failure(error)))
            }
        }
        return (records, seconds)
    }
}
