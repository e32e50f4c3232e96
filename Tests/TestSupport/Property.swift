package import Testing

/// Runs a property test: the body is given a random generator, again and again, and states what must hold each time.
///
/// The seed of the run is printed. A failure names the seed of its own round; with that number in the environment
/// variable `EARSHOT_SEED` every property test runs just that round. `EARSHOT_SOAK=100` makes every property test a
/// hundred times as long: a property that fails once in a thousand runs fails in somebody else's.
///
/// - Parameters:
///   - name: What to print before the seed.
///   - rounds: How often to run the body.
///   - sourceLocation: The place a failure is reported at.
///   - body: Draws its input from the generator and throws, or returns `false`, when the property does not hold.
package func property(
    _ name: String,
    rounds: Int = 500,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout SeededGenerator) throws -> Bool
) {
    let chosen = seedFromEnvironment()
    let base = chosen ?? UInt64.random(in: 0...UInt64.max)
    print("property \(name): seed \(base)")
    for round in 0..<(chosen == nil ? rounds * soakFactor() : 1) {
        let seed = base &+ UInt64(round)
        var generator = SeededGenerator(seed: seed)
        do {
            guard try body(&generator) else {
                Issue.record("property \(name) does not hold; EARSHOT_SEED=\(seed)", sourceLocation: sourceLocation)
                return
            }
        } catch {
            Issue.record("property \(name) threw \(error); EARSHOT_SEED=\(seed)", sourceLocation: sourceLocation)
            return
        }
    }
}

/// The same for a body that waits.
package func asyncProperty(
    _ name: String,
    rounds: Int = 100,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout SeededGenerator) async throws -> Bool
) async {
    let chosen = seedFromEnvironment()
    let base = chosen ?? UInt64.random(in: 0...UInt64.max)
    print("property \(name): seed \(base)")
    for round in 0..<(chosen == nil ? rounds * soakFactor() : 1) {
        let seed = base &+ UInt64(round)
        var generator = SeededGenerator(seed: seed)
        do {
            guard try await body(&generator) else {
                Issue.record("property \(name) does not hold; EARSHOT_SEED=\(seed)", sourceLocation: sourceLocation)
                return
            }
        } catch {
            Issue.record("property \(name) threw \(error); EARSHOT_SEED=\(seed)", sourceLocation: sourceLocation)
            return
        }
    }
}
