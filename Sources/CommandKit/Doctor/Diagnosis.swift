/// All that `earshot doctor` found.
package struct Diagnosis: Encodable, Equatable, Sendable {
    /// `false` if something that is needed is missing.
    package let isComplete: Bool
    package let findings: [Finding]

    package init(_ findings: [Finding]) {
        self.findings = findings
        isComplete = !findings.contains { $0.state == .missing }
    }

    /// The findings as a person reads them: a line each, below it what to do.
    package var text: String {
        let width = findings.map(\.name.count).max() ?? 0
        return findings.map { finding in
            let name = finding.name.padding(to: width)
            let line = "\(Self.mark(finding.state).padding(to: 7))  \(name)  \(Terminal.shown(finding.found))"
            guard let remedy = finding.remedy else { return line }
            return line + "\n" + String(repeating: " ", count: width + 11) + Terminal.shown(remedy)
        }
        .joined(separator: "\n")
    }

    private static func mark(_ state: Finding.State) -> String {
        switch state {
        case .good: "ok"
        case .advice: "advice"
        case .missing: "MISSING"
        case .unused: "-"
        }
    }
}

extension String {
    /// The text with blanks behind it up to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
