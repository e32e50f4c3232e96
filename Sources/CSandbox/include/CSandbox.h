// What a process gives up for good, by Landlock and seccomp, which Swift cannot call.
#pragma once

/// What is held from now on, as bits.
enum {
    /// No capabilities, and no rights that another program would gain.
    EARSHOT_NO_PRIVILEGES = 1,
    /// No path can be opened, made, changed or removed; but for one folder, where one is named, and for reading /proc (Landlock).
    EARSHOT_NO_PATHS = 2,
    /// No socket, process, program, signal to others, look into others, or change of the system (seccomp).
    EARSHOT_NO_CALLS = 4,
};

/// The version of Landlock that the kernel has; 0 for none.
int earshot_landlock_version(void);

/// Gives all of it up for this process and what it starts. To be called while there is one thread: others would keep their rights.
///
/// @param folder A folder in which files may be made, written and removed; NULL for none.
/// @return What is held, as bits; 0 where the system has nothing of it, or there is more than one thread.
int earshot_confine(const char *folder);

/// What a confined process can do all the same, as bits.
enum {
    EARSHOT_CAN_READ = 1,
    EARSHOT_CAN_WRITE = 2,
    EARSHOT_CAN_CONNECT = 4,
    EARSHOT_CAN_FORK = 8,
    EARSHOT_CAN_RUN = 16,
    EARSHOT_CAN_TRACE = 32,
    EARSHOT_CAN_SIGNAL = 64,
};

/// Tries what a decoder that has been taken over would try.
///
/// @param file A file that its user can read and write.
/// @return What it could do, as bits.
int earshot_try_escapes(const char *file);
