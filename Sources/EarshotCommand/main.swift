import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation

// Temporary harness
func load(_ path: String) throws -> Signature {
    let d = try Data(contentsOf: URL(fileURLWithPath: path))
    let s = d.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    var g = SignatureGenerator()
    try g.append(AudioBuffer(s, sampleRate: 16000))
    return g.signature()
}
let a = CommandLine.arguments
if a[1] == "build" {
    var c = Catalog()
    for p in a.dropFirst(3) {
        do { try c.add(try load(p), representing: [], id: ReferenceID((p as NSString).lastPathComponent)) } catch {
            print(p, error)
        }
    }
    let t0 = clock()
    let d = try c.data()
    print("indexed", Double(clock() - t0) / 1e6, d.count)
    try d.write(to: URL(fileURLWithPath: a[2]))
} else {
    let c = try Catalog(contentsOf: URL(fileURLWithPath: a[2]))
    print("query_id,matched_id,offset_s,score,seconds,speed,pitch,accepted,occurrences,votes,inside,matched,chance")
    var p = MatchingParameters()
    if a.count > 5 { p.escalates = a[5] != "plain" }
    for line in try String(contentsOfFile: a[3], encoding: .utf8).split(separator: "\n").dropFirst() {
        let f = line.split(separator: ",", omittingEmptySubsequences: false)
        let sig = try load(a[4] + "/" + f[1])
        let t0 = clock()
        do {
            let r = try c.search(sig, parameters: p)
            let t = Double(clock() - t0) / 1e6
            if let b = r.best, let e = r.evidence {
                let occ = b.occurrences.dropFirst().prefix(5).map { String($0.offset.seconds) }.joined(separator: ";")
                print(
                    "\(f[0]),\((b.id.rawValue as NSString).deletingPathExtension),\(b.offset.seconds),\(b.score),\(t),\(1 + b.speedSkew),\(12 * log2(1 + b.pitchSkew)),\(r.accepted.isEmpty ? 0 : 1),\(occ),\(e.votes),\(e.inside),\(e.matched),\(e.chance)"
                )
            } else {
                print("\(f[0]),,,,\(t),,,,,,,,")
            }
        } catch { print("\(f[0]),,,,,,,,,,,,") }
    }
}
