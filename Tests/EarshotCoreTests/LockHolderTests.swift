import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Who holds a lock")
struct LockHolderTests {
    @Test("is found in the system's table by the file")
    func table() {
        let table = """
            1: POSIX  ADVISORY  WRITE 100 08:01:77 0 EOF
            2: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF
            2: -> FLOCK  ADVISORY  WRITE 4712 08:01:1235 0 EOF
            3: FLOCK  ADVISORY  READ 4713 08:01:77 0 EOF
            4: FLOCK  ADVISORY  WRITE 0 00:2b:88 0 EOF
            """
        #expect(LockHolder.process(inode: 1_234, in: table) == 4_711)
        for inode: UInt64 in [77, 88, 99, 1_235] { #expect(LockHolder.process(inode: inode, in: table) == nil) }
        #expect(LockHolder.process(inode: 1, in: "x\n\n1: FLOCK") == nil)
    }

    @Test("is told with the names of its command, and without arguments that may be secret")
    func program() {
        #expect(
            LockHolder.program(["/usr/bin/earshot", "catalog", "update", "music", "c.earstore"])
                == "earshot catalog update"
        )
        #expect(LockHolder.program(["earshot", "serve", "--port", "9000"]) == "earshot serve")
        #expect(LockHolder.program(["earshot", "--token", "secret"]) == "earshot")
        #expect(LockHolder.program(["earshot", "search", "Geheim"]) == "earshot search")
        #expect(LockHolder.program([]) == "")
        let service = LockHolder(process: 7, program: "earshot serve", isService: true, address: "http://[::1]:80")
        #expect(service.description == "process 7 (earshot serve at http://[::1]:80)")
    }

    @Test("is read from the locked file while its process runs; what is damaged tells nobody")
    func file() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("lock")
            let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            #expect(LockHolder.read(from: descriptor) == nil)
            let holder = LockHolder.current(isService: true, address: "http://127.0.0.1:8080")
            holder.write(to: descriptor)
            #expect(LockHolder.read(from: descriptor) == holder)
            LockHolder(process: .max, program: "gone").write(to: descriptor)
            #expect(LockHolder.read(from: descriptor) == nil)
            try Data(#"{"process": "#.utf8).write(to: url)
            LockHolder.erase(from: descriptor)
            #expect(LockHolder.read(from: descriptor) == nil)
        }
    }

    @Test("A lock that is held is waited for only as long as the patience lasts, and a service not at all")
    func patience() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("lock").path
            let holder = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            let other = open(path, O_RDWR | O_CLOEXEC)
            defer { for descriptor in [holder, other] { close(descriptor) } }
            guard case .locked = FileLock.take(holder, patience: .none) else { throw POSIXError(.EBUSY) }
            func isBusy(_ patience: LockPatience, _ who: LockHolder?) -> Bool {
                if case .busy(let found) = FileLock.take(other, patience: patience, holder: { who }) {
                    return found == who
                }
                return false
            }
            #expect(isBusy(.none, nil))
            #expect(isBusy(LockPatience(seconds: 0.1), LockHolder(process: 1, program: "a")))
            let service = LockHolder(process: 1, program: "a", isService: true)
            #expect(isBusy(LockPatience(seconds: 3_600), service))
            FileLock.release(holder)
            guard case .locked = FileLock.take(other, patience: .none) else { throw POSIXError(.EBUSY) }
        }
    }
}
