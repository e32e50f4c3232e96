/// The tables of all kinds of damage, each as one array, as the innermost loop reads them.
struct DamageTables: Sendable {
    static let shared = DamageTables(DamageModel.all)

    let kinds: Int
    /// For each kind and tier of the query, the probability of no counterpart.
    let absence: [Double]
    /// For each kind, tier of the query and tier of the reference: the probability of a counterpart, divided by the
    /// share of the reference's landmarks in this tier. All tiers have equal shares.
    let presence: [Double]
    let time: [Double]
    let frequency: [Double]

    /// The numbers of deviations in time and in frequency, with zero.
    static let timeCells = DamageModel.timeReach + 1
    static let frequencyCells = DamageModel.frequencyReach + 1

    init(_ models: [DamageModel]) {
        kinds = models.count
        absence = models.flatMap { $0.survival.map { 1 - $0.reduce(0, +) } }
        presence = models.flatMap { $0.survival.flatMap { $0.map { $0 * Double(DamageModel.referenceTiers) } } }
        time = models.flatMap(\.timeDeviation)
        frequency = models.flatMap(\.frequencyDeviation)
    }
}
