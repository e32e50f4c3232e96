import EarshotSignatures
import EarshotCore
import Foundation
// bench
let path = CommandLine.arguments[1]
let d = try Data(contentsOf: URL(fileURLWithPath: path))
let s = d.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
let t0 = clock()
var g = SignatureGenerator()
var i = 0
while i < s.count { let n = min(16384, s.count - i); try g.append(AudioBuffer(Array(s[i..<i+n]), sampleRate: 16000)); i += n }
let sig = g.signature()
let t = Double(clock() - t0) / 1e6
print(sig.duration.seconds, sig.landmarks.count, Double(sig.landmarks.count)/sig.duration.seconds, "x", sig.duration.seconds / t)
for tier in 0..<10 { print(tier, sig.landmarks.filter { $0.tier == tier }.count) }
for l in sig.landmarks.prefix(20) { print(l) }
