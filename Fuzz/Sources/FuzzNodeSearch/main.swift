// Messages between nodes of arbitrary bytes: requests, answers, and the rounds in them behind a head that fits. Each is refused, or reads in
// the same way when it is written again.

import EarshotCatalogs
import EarshotCore
import EarshotSharedCatalogs
import EarshotSignatures
import Foundation
import LibFuzzer

/// A number in groups of seven bits, lowest first.
func variable(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// Landmarks that follow from their number, 25 a second for two seconds.
func signature() -> [UInt8] {
    var bytes = Array("EARSHSIG".utf8) + [1, 0, 0, 0, 1, 0, 0, 0] + littleEndian(Int64(2)) + littleEndian(Int32(1))
    bytes += littleEndian(UInt32(2)) + littleEndian(UInt32(50)) + [26, 24]
    for index in 0..<50 {
        let bits = UInt32(index * 20 % 512) << 15 | UInt32(index * 389 % 1_900) << 4 | UInt32(index % 3)
        bytes += littleEndian(bits).prefix(3)
    }
    return bytes + littleEndian(checksum(bytes))
}

let query = signature()

/// A request for the segments 0 and 2 of three, whose round is given as JSON.
func request(round: [UInt8]) -> [UInt8] {
    Array("EARSHNSQ".utf8) + [1, 0, 1, 0, 5] + Array("music".utf8) + [1, 9, 2] + [1, 0x61, 0, 0, 0] + [
        1, 0x63, 0, 2, 8,
    ]
        + variable(query.count) + query + [0] + variable(round.count) + round
}

func read(request bytes: [UInt8]) {
    guard let request = try? NodeSearchRequest(bytes: bytes), let written = try? request.bytes() else { return }
    guard let again = try? NodeSearchRequest(bytes: written) else {
        preconditionFailure("what was read cannot be written and read")
    }
    precondition(again.parts == request.parts && again.catalog == request.catalog && again.query == request.query)
    precondition(again.round.totals == request.round.totals && again.round.kind == request.round.kind)
}

let totals = """
    {"carried":[],"kind":1,"looksAgain":false,"readings":[],"totals":{"frameCount":4000,"hasBits":true,"postingCount":90000,\
    "referenceCount":12,"segmentCount":3}}
    """

func read(answer bytes: [UInt8], to request: NodeSearchRequest) {
    guard let answer = try? NodeSearchAnswer(bytes: bytes, to: request), let written = try? answer.bytes() else {
        return
    }
    guard let again = try? NodeSearchAnswer(bytes: written, to: request) else {
        preconditionFailure("what was read cannot be written and read")
    }
    precondition(again.generation == answer.generation && again.answer.segments == answer.answer.segments)
    precondition(Set(answer.answer.segments).isSubset(of: request.parts.map(\.place.segment)))
    // A root takes it as it takes any.
    var search = CatalogSearch(request.query, totals: request.round.totals)
    search.take([answer.answer])
    _ = search.references
}

do {
    let asked = try NodeSearchRequest(bytes: request(round: Array(totals.utf8)))
    fuzz { bytes in
        let rest = Array(bytes.dropFirst())
        switch (bytes.first ?? 0) % 4 {
        case 0: read(request: rest)
        case 1: read(request: request(round: rest))
        case 2: read(answer: rest, to: asked)
        default:
            let head = Array("EARSHNSA".utf8) + [1, 0, 1, 0, 1]
            read(answer: head + variable(rest.count) + rest, to: asked)
        }
    }
} catch {
    preconditionFailure("the request cannot be read: \(error)")
}
