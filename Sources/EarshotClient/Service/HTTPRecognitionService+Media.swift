import AsyncHTTPClient
public import EarshotAPI
public import EarshotCore
import Foundation
import NIOCore
import NIOHTTP1

/// Requests for the files of a service's media folders. The client needs the right `media`; exports need the right
/// `exports`.
extension HTTPRecognitionService {
    // MARK: - Exports

    /// Starts an export, which converts a file. The response describes the conversion and what the result will lack.
    ///
    /// - Throws: `entityNotFound`, `accessDenied` for a file outside the media folders, `destinationExists`,
    ///   `fileTypeUnsupported`, `pipelineRefused`, and the errors of a request.
    public func export(_ request: ExportRequest) async throws(EarshotError) -> ExportRecord {
        try value(ExportRecord.self, try await posted("exports", request))
    }

    /// Fetches the client's exports, the latest first.
    ///
    /// - Throws: The errors of a request.
    public func exports() async throws(EarshotError) -> [ExportRecord] {
        try value([ExportRecord].self, try await authorized(HTTPCall(.GET, path: "exports")))
    }

    /// Fetches the progress or the outcome of an export.
    ///
    /// - Throws: `entityNotFound`, and the errors of a request.
    public func exportRecord(_ id: String) async throws(EarshotError) -> ExportRecord {
        try value(ExportRecord.self, try await authorized(HTTPCall(.GET, path: "exports/\(HTTPCall.escaped(id))")))
    }

    /// Returns the progress of an export as an asynchronous sequence, from now until the export has ended.
    public func exportUpdates(_ id: String) -> ExportUpdates { ExportUpdates(service: self, id: id) }

    /// Cancels a running export, or removes a finished one with its result.
    ///
    /// - Throws: `entityNotFound`, and the errors of a request.
    public func removeExport(_ id: String) async throws(EarshotError) {
        _ = try await authorized(HTTPCall(.DELETE, path: "exports/\(HTTPCall.escaped(id))", isLasting: true))
    }

    /// Returns the bytes of an export's result as an asynchronous sequence. No request is made before the first chunk
    /// is read.
    ///
    /// - Parameters:
    ///   - id: The identifier of the export.
    ///   - offset: The offset of the first byte.
    public func exportFile(_ id: String, from offset: Int = 0) -> FileDownload {
        FileDownload(
            service: self,
            path: "exports/\(HTTPCall.escaped(id))/file",
            name: "The result of export \(id)",
            offset: offset
        )
    }

    // MARK: - Files

    /// Fetches the duration, tracks and tags of a file.
    ///
    /// - Parameter id: The name of a media folder and the path below it, such as `music/Album/01.flac`.
    /// - Throws: `entityNotFound`, `accessDenied`, and the errors of a request.
    public func asset(_ id: String) async throws(EarshotError) -> AssetRecord {
        try value(AssetRecord.self, try await authorized(HTTPCall(.GET, path: Self.path(id, nil))))
    }

    /// Fetches a range of a file's decoded samples. They are the same as those frames of the whole decoded file.
    ///
    /// - Parameters:
    ///   - id: The name of a media folder and the path below it.
    ///   - start: The first frame, counted at `sampleRate`.
    ///   - length: The largest number of frames, up to `ServiceAPI.samplesLimit`; fewer are returned at the end of the
    ///     file.
    ///   - sampleRate: The sample rate of the result, in hertz; `nil` for the file's own.
    ///   - channels: The number of channels of the result, 1 to 8; `nil` for the file's own.
    ///   - type: The sample type of the result.
    /// - Throws: `requestInvalid` for a start beyond the end of the file, `malformedResponse`, and the errors of a
    ///   request.
    public func samples(
        of id: String,
        from start: Int64 = 0,
        length: Int,
        sampleRate: Int? = nil,
        channels: Int? = nil,
        as type: AudioFormat.SampleType = .float32
    ) async throws(EarshotError) -> AudioBuffer {
        var parameters = [("start", String(start)), ("length", String(length)), ("format", type.rawValue)]
        if let sampleRate { parameters.append(("rate", String(sampleRate))) }
        if let channels { parameters.append(("channels", String(channels))) }
        var attempt = 1
        while true {
            do {
                return try await samples(Self.path(id, "samples"), parameters, length, type)
            } catch {
                do {
                    try await pause(after: error, &attempt)
                } catch let error as EarshotError {
                    throw error
                } catch {
                    throw EarshotError(.cancelled, "The request was canceled.", cause: error)
                }
            }
        }
    }

    private func samples(
        _ path: String,
        _ parameters: [(String, String)],
        _ length: Int,
        _ type: AudioFormat.SampleType
    ) async throws -> AudioBuffer {
        let response = try await stream(path, parameters: parameters)
        func number(_ name: String) throws -> Int {
            guard let number = response.headers.first(name: name).flatMap({ Int($0) }), number > 0 else {
                throw EarshotError(.malformedResponse, "\(base) sent samples without their format: tell its operator.")
            }
            return number
        }
        let (rate, channels) = (try number(ServiceAPI.sampleRateField), try number(ServiceAPI.channelsField))
        guard response.headers.first(name: ServiceAPI.sampleFormatField) == type.rawValue, channels <= 64 else {
            throw EarshotError(
                .malformedResponse,
                "\(base) sent samples in another format than was requested: tell its operator."
            )
        }
        let frameSize = channels * type.byteCount
        let bytes = try await response.body.collect(upTo: length * frameSize)
        guard bytes.readableBytes % frameSize == 0 else {
            throw EarshotError(.malformedResponse, "\(base) sent an incomplete frame: try again.")
        }
        let configuration = AudioConfiguration(
            sampleRate: rate,
            format: type == .int16 ? .pcm16 : .float32,
            channels: channels
        )
        return bytes.withUnsafeReadableBytes { AudioBuffer($0, as: configuration) }
    }

    /// Fetches the waveform of a file, for drawing.
    ///
    /// - Parameters:
    ///   - id: The name of a media folder and the path below it.
    ///   - buckets: The largest number of buckets.
    ///   - isSplit: `true` for a waveform of each channel.
    /// - Throws: `entityNotFound`, `accessDenied`, and the errors of a request.
    public func waveform(
        of id: String,
        buckets: Int,
        channels isSplit: Bool = false
    ) async throws(EarshotError) -> WaveformRecord {
        let parameters = [("buckets", String(buckets)), ("channels", isSplit ? "1" : "0")]
        // A whole file is decoded for the first that asks.
        let call = HTTPCall(.GET, path: Self.path(id, "waveform"), parameters: parameters, isLasting: true)
        return try value(WaveformRecord.self, try await authorized(call))
    }

    // MARK: - Analyses

    /// Starts the analysis of the files below a folder, and returns the record of the run.
    ///
    /// - Throws: `entityNotFound`, `accessDenied`, `requestInvalid`, and the errors of a request.
    public func analyze(_ request: AnalysisRequest) async throws(EarshotError) -> AnalysisRun {
        try value(AnalysisRun.self, try await posted("library/analyses", request))
    }

    /// Fetches the progress of an analysis run.
    ///
    /// - Throws: `entityNotFound`, and the errors of a request.
    public func analysisRun(_ id: String) async throws(EarshotError) -> AnalysisRun {
        let call = HTTPCall(.GET, path: "library/analyses/\(HTTPCall.escaped(id))")
        return try value(AnalysisRun.self, try await authorized(call))
    }

    /// Returns the progress of an analysis run as an asynchronous sequence, from now until the run has ended.
    ///
    /// - Parameters:
    ///   - id: The identifier of the run.
    ///   - interval: The interval between two requests. Default: 0.5 s.
    public func analysisUpdates(
        _ id: String,
        every interval: MediaTime = MediaTime(value: 1, timescale: 2)
    ) -> AnalysisUpdates {
        AnalysisUpdates(service: self, id: id, interval: interval)
    }

    /// Cancels a running analysis, or removes the record of a finished one. Results are kept.
    ///
    /// - Throws: `entityNotFound`, and the errors of a request.
    public func removeAnalysisRun(_ id: String) async throws(EarshotError) {
        _ = try await authorized(
            HTTPCall(.DELETE, path: "library/analyses/\(HTTPCall.escaped(id))", isLasting: true)
        )
    }

    /// Fetches the analysis results of a file.
    ///
    /// - Parameter id: The name of a media folder and the path below it.
    /// - Throws: `entityNotFound`, `accessDenied`, and the errors of a request.
    public func analyses(of id: String) async throws(EarshotError) -> AssetAnalyses {
        try value(AssetAnalyses.self, try await authorized(HTTPCall(.GET, path: Self.path(id, "analyses"))))
    }

    // MARK: - Search

    /// Searches the media folders by a command such as `play album moondance`, or by a name.
    ///
    /// - Throws: The errors of a request.
    public func searchLibrary(_ text: String, limit: Int = 20) async throws(EarshotError) -> LibraryAnswer {
        let call = HTTPCall(.GET, path: "library/search", parameters: [("q", text), ("limit", String(limit))])
        return try value(LibraryAnswer.self, try await authorized(call))
    }

    // MARK: - Parts

    private static func path(_ asset: String, _ part: String?) -> String {
        "assets/\(HTTPCall.escaped(asset))" + (part.map { "/\($0)" } ?? "")
    }

    private func posted(_ path: String, _ document: some Encodable) async throws(EarshotError) -> Data {
        let body: Data
        do {
            body = try ServiceAPI.encoder().encode(document)
        } catch {
            throw EarshotError(.internalError, "A request could not be encoded: please report this.", cause: error)
        }
        return try await authorized(HTTPCall(.POST, path: path, body: body, bodyType: "application/json"))
    }
}
