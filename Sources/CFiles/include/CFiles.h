// Calls on files that Swift cannot make: through a number of a system call, and by functions that differ between systems.
#pragma once

/// Copies extended attributes, access lists among them, as far as the file system takes them.
void earshot_copy_attributes(int from, int to);
/// Renames unless the new name is in use; 0 or an `errno`. `ENOTSUP` where the file system cannot do that in one step.
int earshot_rename_exclusively(const char *from, const char *to);
