import Foundation
import TestSupport
import Testing

/// `scripts/setup` with programs that stand in for the toolchain and for Debian's, so that nothing is installed.
@Suite("scripts/setup", .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
struct SetupScriptTests {
    private static let goodSwift = """
        case $1 in
            --version) echo 'Swift version 6.2.1 (swift-6.2.1-RELEASE)' ;;
            build) echo 'Swift Package Manager - Swift 6.2.1' ;;
        esac
        """

    /// Runs the script with only stand-ins and the system's own programs in its path.
    private func setup(_ standIns: [String: String]) async throws -> (outcome: Tool.Outcome, calls: [String]) {
        try await withTemporaryFolder { folder in
            let programs = folder.appendingPathComponent("bin")
            let texts = folder.appendingPathComponent("texts")
            for each in [programs, texts] {
                try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
            }
            // The pauses of the script are not waited for.
            let all = ["sleep": "", "uname": "echo Linux", "sudo": "exec \"$@\""].merging(standIns) { $1 }
            for (name, body) in all {
                try Data("#!/bin/bash\n\(body)\n".utf8).write(to: texts.appendingPathComponent(name))
            }
            // Linux refuses to run a file that any process has open for writing ("text file busy", status 126). A program
            // that another test starts while a file is being written holds it open until its own exec. Copying in a
            // process that starts no others avoids that.
            let copy = try await Tool(at: URL(fileURLWithPath: "/usr/bin/install")).run(
                ["-m", "755"] + all.keys.map { texts.appendingPathComponent($0).path } + [programs.path]
            )
            try #require(copy.status == 0, "\(copy.errors)")
            let calls = folder.appendingPathComponent("calls")
            let outcome = try await Tool(at: packageFolder.appendingPathComponent("scripts/setup")).run(
                [],
                environment: ["PATH": "\(programs.path):/usr/bin:/bin", "CALLS": calls.path]
            )
            let text = (try? String(contentsOf: calls, encoding: .utf8)) ?? ""
            return (outcome, text.split(separator: "\n").map(String.init))
        }
    }

    @Test("a toolchain that does not start is told with its own error, and the package that helps")
    func missingLibrary() async throws {
        let says = "libncurses.so.6: cannot open shared object file: No such file or directory"
        let standIns = [
            "swift": "echo 'swift: error while loading shared libraries: \(says)' >&2; exit 127", "apt-get": "exit 1",
        ]
        let outcome = try await setup(standIns).outcome
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(says))
        #expect(outcome.errors.contains("`swift --version` ended with status 127"))
        #expect(outcome.errors.contains("apt-get install --yes --no-install-recommends libncurses6\n"))
    }

    @Test(
        "libraries lead to their packages, those of the package manager too",
        arguments: [
            ("libxml2.so.2", "libxml2"), ("libcurl.so.4", "libcurl4"), ("libsqlite3.so.0", "libsqlite3-0"),
            ("libz.so.1", "zlib1g"), ("libgcc_s.so.1", "libgcc-s1"), ("libpython3.11.so.1.0", "libpython3.11"),
        ]
    )
    func packages(library: String, package: String) async throws {
        let swift = """
            case $1 in
                --version) echo 'Swift version 6.2.1' ;;
                *)
                    echo 'swift-build: error while loading shared libraries: \(library): cannot open shared object file' >&2
                    exit 127
                    ;;
            esac
            """
        let outcome = try await setup(["swift": swift, "apt-get": "exit 1"]).outcome
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("`swift build --version` ended with status 127"))
        #expect(outcome.errors.contains("--no-install-recommends \(package)\n"))
    }

    @Test("missing libraries of the toolchain are installed where that can be done")
    func installsLibraries() async throws {
        let swift = """
            if [[ ! -e $CALLS ]]; then
                echo 'swift: error while loading shared libraries: libncurses.so.6: cannot open shared object file' >&2
                exit 127
            fi
            \(Self.goodSwift)
            """
        let run = try await setup([
            "swift": swift, "dpkg-query": "echo install ok installed", "apt-get": "echo \"$*\" >>\"$CALLS\"",
        ])
        #expect(run.outcome.status == 0, "\(run.outcome.errors)")
        #expect(run.calls == ["update --quiet --quiet", "install --yes --quiet --no-install-recommends libncurses6"])
    }

    @Test("other faults of a toolchain are told, too", arguments: ["exit 127", "echo broken; exit 3", "echo nonsense"])
    func otherFaults(body: String) async throws {
        let outcome = try await setup(["swift": body]).outcome
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("setup: "))
        #expect(outcome.errors.contains("https://www.swift.org/install"))
    }

    /// `apt-get` of which every call finds a lock held so many times before it does its work.
    private static func aptGet(held: Int, _ lock: String) -> String {
        """
        echo "$*" >>"$CALLS"
        if (($(grep -c "^$1 " "$CALLS") <= \(held))); then
            echo "E: \(lock)" >&2
            exit 100
        fi
        """
    }

    @Test(
        "it waits for another apt or dpkg, and says so once for each step",
        arguments: [
            "Could not get lock /var/lib/apt/lists/lock. It is held by process 77 (apt-get)",
            "Could not get lock /var/lib/dpkg/lock - open (11: Resource temporarily unavailable)",
            "Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
        ]
    )
    func lock(says: String) async throws {
        let run = try await setup([
            "swift": Self.goodSwift, "dpkg-query": "exit 1", "apt-get": Self.aptGet(held: 2, says),
        ])
        #expect(run.outcome.status == 0, "\(run.outcome.errors)")
        let steps = run.calls.map { String($0.prefix(while: { $0 != " " })) }
        #expect(steps == ["update", "update", "update", "install", "install", "install"])
        #expect(run.outcome.output.components(separatedBy: "waiting for it").count == 3)
        #expect(run.outcome.output.contains(says))
        #expect(!run.outcome.output.contains("could not be refreshed"))
    }

    @Test("a lock that is never given up ends it with what holds it")
    func lockForEver() async throws {
        let says = "Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 77 (unattended-upgr)"
        let run = try await setup([
            "swift": Self.goodSwift, "dpkg-query": "exit 1", "apt-get": Self.aptGet(held: .max, says),
        ])
        #expect(run.outcome.status == 1)
        #expect(run.outcome.errors.contains(says))
        #expect(run.outcome.errors.contains("As root run"))
    }

    @Test("a failure of apt-get that is no lock is not waited for")
    func otherFailure() async throws {
        let says = "Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)"
        let aptGet = "echo \"$*\" >>\"$CALLS\"; echo 'E: \(says)' >&2; exit 100"
        let run = try await setup(["swift": Self.goodSwift, "dpkg-query": "exit 1", "apt-get": aptGet])
        #expect(run.outcome.status == 1)
        #expect(run.calls.count == 2)
        #expect(run.outcome.errors.contains("Permission denied"))
    }
}
