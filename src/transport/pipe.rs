//! How much a pipe holds: whoever stands between two wants both to go on while it is not looking.

/// How much a pipe is to hold, in bytes: a large result whole. The system bounds what all pipes of a user hold together
/// (on Linux 64 MiB), so it is not more.
#[cfg(target_os = "linux")]
const SIZE: usize = 256 << 10;

/// Lets a pipe hold more, where the system can. What is no pipe stays as it is.
#[cfg(target_os = "linux")]
pub(crate) fn widen(pipe: impl std::os::fd::AsFd) {
    if rustix::pipe::fcntl_getpipe_size(&pipe).is_ok_and(|size| size < SIZE) {
        // A pipe of the usual size is slower and nothing else.
        let _ = rustix::pipe::fcntl_setpipe_size(&pipe, SIZE);
    }
}

/// Elsewhere a pipe grows by itself, or is as large as it was made.
#[cfg(not(target_os = "linux"))]
pub(crate) fn widen<P>(_: P) {}
