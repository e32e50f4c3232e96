// What a process gives up for good, by Landlock and seccomp, which Swift cannot call.
#pragma once

/// The version of Landlock that the kernel has; 0 for none.
int earshot_landlock_version(void);

/// Gives up, as far as the system takes it, for this process and what it starts: all paths but one folder, one file and reading /proc (Landlock);
/// capabilities, and rights that another program would gain; sockets, processes, programs, signals to others, looks into others and changes of the
/// system (seccomp). To be called while there is one thread: others would keep their rights, so nothing is given up then.
///
/// @param folder A folder in which files may be made, written and removed; NULL for none.
/// @param file The descriptor of an open file that may be opened again by its name, to be read; -1 for none.
void earshot_confine(const char *folder, int file);

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
