import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension RequestContext {
    /// Returns the bytes of the request's body.
    ///
    /// - Throws: `timedOut`; the given error if there are more bytes than the limit.
    func body(upTo limit: Int, _ tooLarge: EarshotError) async throws -> Data {
        let body = request.body
        return try await withTimeLimit(settings.uploadTime, "The upload") {
            var data = Data()
            for try await part in body {
                guard data.count + part.readableBytes <= limit else { throw tooLarge }
                data.append(contentsOf: part.readableBytesView)
            }
            return data
        }
    }

    /// Decodes the JSON body of the request.
    ///
    /// - Throws: `mediaTypeUnsupported`, `uploadTooLarge`, `requestInvalid` with the position of the fault.
    func document<Value: Decodable & Sendable>(_ type: Value.Type, limit: Int? = nil) async throws -> Value {
        let essence = (request.headers[.contentType] ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            .lowercased()
        guard essence == "application/json" else {
            throw EarshotError(
                .mediaTypeUnsupported,
                "The body is not declared as JSON: send JSON with Content-Type: application/json."
            )
        }
        let limit = limit ?? settings.documentLimit
        let data = try await body(
            upTo: limit,
            EarshotError(.uploadTooLarge, "The body has more than \(limit >> 10) KiB: send less at once.")
        )
        do {
            return try ServiceAPI.decoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw EarshotError(.requestInvalid, "The body cannot be understood: \(Self.explanation(error)).")
        }
    }

    private static func explanation(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "" : " at \(path)"
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(key.stringValue) is missing\(path(context))"
        case .typeMismatch(_, let context): "a value has the wrong type\(path(context))"
        case .valueNotFound(_, let context): "a value is null\(path(context))"
        case .dataCorrupted(let context): "it is no such JSON\(path(context))"
        @unknown default: "it is no such JSON"
        }
    }

    /// Returns the fields of a form that a page of the service sent.
    func form() async throws -> FormParameters {
        let essence = (request.headers[.contentType] ?? "").prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).lowercased()
        guard essence == "application/x-www-form-urlencoded" else {
            throw EarshotError(
                .mediaTypeUnsupported,
                "The body is no form: send application/x-www-form-urlencoded."
            )
        }
        // Browsers state the site of the page that sent the form. Old ones do not: for them the seal of the form must do.
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }),
            site != "same-origin", site != "none"
        {
            throw EarshotError(.accessDenied, "The form was sent by another site: load the page of the service again.")
        }
        let data = try await body(
            upTo: 16 << 10,
            EarshotError(.uploadTooLarge, "The form is too large: shorten its texts.")
        )
        var form = FormParameters()
        try form.add(String(decoding: data, as: UTF8.self))
        return form
    }
}
