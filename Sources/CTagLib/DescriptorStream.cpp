#include "DescriptorStream.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace earshot {

DescriptorStream::DescriptorStream(int descriptor) : descriptor_(descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    readOnly_ = flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
}

TagLib::FileName DescriptorStream::name() const { return ""; }

TagLib::ByteVector DescriptorStream::readBlock(Size length) {
    // A damaged length must not become as much memory.
    Offset rest = std::max<Offset>(0, this->length() - position_);
    size_t count = std::min<Size>(length, static_cast<Size>(rest));
    TagLib::ByteVector block(static_cast<unsigned int>(count));
    if (count == 0 || !readAll(block.data(), count, position_)) return TagLib::ByteVector();
    position_ += static_cast<Offset>(count);
    return block;
}

void DescriptorStream::writeBlock(const TagLib::ByteVector &data) {
    writeAll(data.data(), data.size(), position_);
    position_ += static_cast<Offset>(data.size());
}

void DescriptorStream::insert(const TagLib::ByteVector &data, InsertOffset start, Size replace) {
    Offset begin = static_cast<Offset>(start);
    Offset replaced = std::min(static_cast<Offset>(replace), std::max<Offset>(0, length() - begin));
    shift(begin + replaced, static_cast<Offset>(data.size()) - replaced);
    writeAll(data.data(), data.size(), begin);
    position_ = begin + static_cast<Offset>(data.size());
}

void DescriptorStream::removeBlock(InsertOffset start, Size length) {
    Offset begin = static_cast<Offset>(start);
    Offset removed = std::min(static_cast<Offset>(length), std::max<Offset>(0, this->length() - begin));
    shift(begin + removed, -removed);
    position_ = begin;
}

bool DescriptorStream::readOnly() const { return readOnly_; }

bool DescriptorStream::isOpen() const { return true; }

void DescriptorStream::seek(Offset offset, Position position) {
    switch (position) {
    case Beginning: position_ = offset; break;
    case Current: position_ += offset; break;
    case End: position_ = length() + offset; break;
    }
    position_ = std::max<Offset>(0, position_);
}

Offset DescriptorStream::tell() const { return position_; }

Offset DescriptorStream::length() {
    struct stat status;
    if (fstat(descriptor_, &status) != 0) {
        if (error_ == 0) error_ = errno;
        return 0;
    }
    return static_cast<Offset>(status.st_size);
}

void DescriptorStream::truncate(Offset length) {
    if (error_ == 0 && ftruncate(descriptor_, length) != 0) error_ = errno;
}

bool DescriptorStream::readAll(char *bytes, size_t count, Offset offset) {
    while (count > 0) {
        ssize_t done = pread(descriptor_, bytes, count, offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            if (error_ == 0) error_ = done < 0 ? errno : EIO;
            return false;
        }
        bytes += done;
        offset += done;
        count -= static_cast<size_t>(done);
    }
    return true;
}

void DescriptorStream::writeAll(const char *bytes, size_t count, Offset offset) {
    while (count > 0 && error_ == 0) {
        ssize_t done = pwrite(descriptor_, bytes, count, offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            error_ = done < 0 ? errno : ENOSPC;
            return;
        }
        bytes += done;
        offset += done;
        count -= static_cast<size_t>(done);
    }
}

void DescriptorStream::shift(Offset start, Offset distance) {
    Offset end = length();
    if (distance == 0 || start > end) return;
    std::vector<char> buffer(1 << 20);
    Offset size = static_cast<Offset>(buffer.size());
    // Towards the end from the last piece on, towards the begin from the first: nothing is written over before it is read.
    for (Offset rest = end - start; rest > 0 && error_ == 0;) {
        Offset count = std::min(rest, size);
        Offset from = distance > 0 ? start + rest - count : end - rest;
        if (!readAll(buffer.data(), static_cast<size_t>(count), from)) return;
        writeAll(buffer.data(), static_cast<size_t>(count), from + distance);
        rest -= count;
    }
    if (distance < 0) truncate(end + distance);
}

}  // namespace earshot
