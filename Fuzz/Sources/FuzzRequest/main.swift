// What a client of the service may send, of arbitrary bytes: forms cut at any place, preferences, client identifiers,
// references of content, and JSON. Each is read or refused with its own code; forms are read alike however they are cut.

import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import Foundation
import LibFuzzer

/// The parts of a form that arrives in pieces of one size; nothing for what is no form.
func parts(_ bytes: [UInt8], by size: Int) -> [(MultipartParser.Header, [UInt8])]? {
    var parts: [(MultipartParser.Header, [UInt8])] = []
    do throws(EarshotError) {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=b")
        var begin = 0
        while begin < bytes.count {
            let end = min(bytes.count, begin + size)
            for event in try parser.take(bytes[begin..<end]) {
                switch event {
                case .part(let header): parts.append((header, []))
                case .content(let content): parts[parts.count - 1].1 += content
                case .partEnd, .end: break
                }
            }
            begin = end
        }
        return parser.isComplete ? parts : nil
    } catch {
        precondition(error.code == .requestInvalid)
        return nil
    }
}

func form(_ bytes: [UInt8]) {
    let whole = parts(bytes, by: max(1, bytes.count))
    for size in [1, 7] {
        let cut = parts(bytes, by: size)
        // A header that is too long may be noticed earlier in one piece than in many, a form in one way only.
        guard let whole, let cut else { continue }
        precondition(whole.map(\.0) == cut.map(\.0) && whole.map(\.1) == cut.map(\.1))
    }
}

func texts(_ text: String) {
    _ = try? MultipartParser(contentType: text)
    if let reference = ContentReference(text: text) {
        precondition(ContentReference(text: reference.text) == reference)
    }
    if let identifier = try? ClientIdentifier(text) {
        precondition((try? ClientIdentifier(identifier.text)) == identifier)
        precondition(!"\(identifier)".contains(identifier.tag) || identifier.id.contains(identifier.tag))
    }
    let pairs = text.split(separator: "&").map { pair -> (name: String, value: String) in
        let halves = pair.split(separator: "=", maxSplits: 1)
        return (String(halves.first ?? ""), String(halves.count > 1 ? halves[1] : ""))
    }
    if let preferences = try? ContentPreferences(parameters: pairs) {
        precondition((try? ContentPreferences(parameters: preferences.parameters)) == preferences)
    }
}

func json(_ data: Data) {
    _ = try? ServiceAPI.decoder().decode(TokenRequest.self, from: data)
    _ = try? ServiceAPI.decoder().decode(ClientChange.self, from: data)
    _ = try? ServiceAPI.decoder().decode(JobRequest.self, from: data)
    if let list = try? ServiceAPI.decoder().decode(MatchList.self, from: data) {
        guard let again = try? ServiceAPI.encoder().encode(list) else { return }
        precondition((try? ServiceAPI.decoder().decode(MatchList.self, from: again)) == list)
    }
}

fuzz { bytes in
    let rest = Array(bytes.dropFirst())
    switch (bytes.first ?? 0) % 3 {
    case 0: form(rest)
    case 1: if let text = String(validating: rest, as: UTF8.self) { texts(text) }
    default: json(Data(rest))
    }
}
