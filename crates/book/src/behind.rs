//! Bytes of a file on their way to the disk, on a thread of their own.
//!
//! Large files go past the memory that the system keeps of files, where it lets them: to ask for that memory and to copy
//! into it takes processors longer than all else about writing, and in the end nothing is left to be synced.

use crate::slab::Slab;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

/// So many bytes are written at a time.
const BLOCK: usize = 1 << 21;
/// What goes past the system's memory begins and ends at multiples of this.
const PAGE: usize = 1 << 12;
/// So many blocks wait for the disk at most.
const WAITING: usize = 8;
/// After so many bytes in the system's memory the disk gets to work, so that there is little to wait for in the end.
const SYNC_STEP: usize = 1 << 22;

/// Bytes that follow each other in a file, gathered until there are enough of them.
pub(crate) struct Lane {
    memory: Slab,
    /// Where the memory belongs in the file, a multiple of [`PAGE`].
    place: u64,
    /// What of it has been filled.
    used: Range<usize>,
}

impl Lane {
    /// Without memory.
    pub(crate) const EMPTY: Self = Self { memory: Slab::Owned(Vec::new()), place: 0, used: 0..0 };

    /// One that begins at this place.
    pub(crate) fn at(place: u64) -> Self {
        Self::with(Slab::new(BLOCK), place)
    }

    fn with(memory: Slab, place: u64) -> Self {
        let begin = place as usize % PAGE;
        Self { memory, place: place - begin as u64, used: begin..begin }
    }

    /// Where the next byte will be.
    pub(crate) fn end(&self) -> u64 {
        self.place + self.used.end as u64
    }

    /// Takes as many bytes as there is room for.
    pub(crate) fn fill(&mut self, bytes: &[u8]) -> usize {
        let room = &mut self.memory[self.used.end..];
        let count = room.len().min(bytes.len());
        room[..count].copy_from_slice(&bytes[..count]);
        self.used.end += count;
        count
    }

    pub(crate) fn is_full(&self) -> bool {
        self.used.end == self.memory.len()
    }

    /// Writes what there is to a file, at once, and goes on behind it.
    pub(crate) fn write_to(&mut self, file: &mut File) -> io::Result<()> {
        put(file, self.place, &self.memory, self.used.clone())?;
        self.used.start = self.used.end;
        Ok(())
    }
}

/// Writes a part of some memory to where it belongs.
fn put(file: &mut File, place: u64, memory: &[u8], part: Range<usize>) -> io::Result<()> {
    if part.is_empty() {
        return Ok(());
    }
    file.seek(SeekFrom::Start(place + part.start as u64))?;
    file.write_all(&memory[part])
}

/// A thread that writes lanes.
pub(crate) struct Behind {
    lanes: SyncSender<Lane>,
    /// Memory that can be filled again.
    spare: Receiver<Slab>,
    thread: JoinHandle<io::Result<()>>,
}

impl Behind {
    /// Lets a thread write to a file that is there.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let plain = File::options().write(true).open(path)?;
        let (lanes, filled) = sync_channel(WAITING);
        let (give_back, spare) = channel();
        let writing = Writing { plain, direct: open_direct(path), unsynced: 0 };
        let thread = std::thread::Builder::new().spawn(move || writing.run(&filled, &give_back))?;
        Ok(Self { lanes, spare, thread })
    }

    /// Passes a lane on and gives one that begins at another place; `None` if the thread has ended.
    pub(crate) fn pass_on(&self, lane: Lane, next: u64) -> Option<Lane> {
        self.lanes.send(lane).ok()?;
        Some(self.spare.try_recv().map_or_else(|_| Lane::at(next), |memory| Lane::with(memory, next)))
    }

    /// Waits until all is written and tells whether it went well.
    pub(crate) fn finish(self) -> io::Result<()> {
        drop(self.lanes);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes has ended")))
    }
}

/// What the thread has.
struct Writing {
    plain: File,
    /// The same file, past the system's memory, as long as that works.
    direct: Option<File>,
    unsynced: usize,
}

impl Writing {
    fn run(mut self, filled: &Receiver<Lane>, give_back: &Sender<Slab>) -> io::Result<()> {
        for lane in filled {
            self.write(&lane)?;
            // Nobody may want it any more.
            give_back.send(lane.memory).ok();
        }
        Ok(())
    }

    fn write(&mut self, lane: &Lane) -> io::Result<()> {
        let Lane { memory, place, used } = lane;
        let whole = used.start.next_multiple_of(PAGE)..used.end / PAGE * PAGE;
        if whole.is_empty() {
            return put(&mut self.plain, *place, memory, used.clone());
        }
        put(&mut self.plain, *place, memory, used.start..whole.start)?;
        put(&mut self.plain, *place, memory, whole.end..used.end)?;
        if let Some(direct) = &mut self.direct {
            if put(direct, *place, memory, whole.clone()).is_ok() {
                return Ok(());
            }
            // Not every file system can; whatever else is wrong will be told below.
            self.direct = None;
        }
        self.unsynced += whole.len();
        put(&mut self.plain, *place, memory, whole)?;
        if self.unsynced >= SYNC_STEP {
            self.unsynced = 0;
            self.plain.sync_data()?;
        }
        Ok(())
    }
}

/// Opens a file for writing past the system's memory, where that is possible.
#[cfg(target_os = "linux")]
fn open_direct(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().write(true).custom_flags(libc::O_DIRECT).open(path).ok()
}

#[cfg(not(target_os = "linux"))]
fn open_direct(_: &Path) -> Option<File> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that tell where they belong.
    fn bytes(range: Range<usize>) -> Vec<u8> {
        range.map(|at| (at / 3 % 251) as u8).collect()
    }

    #[test]
    fn lanes_meet_where_no_page_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (middle, end) = (2 * BLOCK + 12_345, 4 * BLOCK + 777);
        for direct in [true, false] {
            let plain = File::create(&path).unwrap();
            let open = || open_direct(&path).filter(|_| direct);
            let mut writing = Writing { plain, direct: open(), unsynced: 0 };
            // The later part first, and both in pieces that no block is a multiple of.
            for part in [middle..end, 100..middle] {
                let mut lane = Lane::at(part.start as u64);
                for piece in bytes(part.clone()).chunks(54_321) {
                    let mut rest = piece;
                    while !rest.is_empty() {
                        rest = &rest[lane.fill(rest)..];
                        if lane.is_full() {
                            let next = lane.end();
                            writing.write(&std::mem::replace(&mut lane, Lane::at(next))).unwrap();
                        }
                    }
                }
                assert_eq!(lane.end(), part.end as u64);
                writing.write(&lane).unwrap();
            }
            let mut first = Lane::at(0);
            first.fill(&bytes(0..100));
            first.write_to(&mut writing.plain).unwrap();
            assert!(std::fs::read(&path).unwrap() == bytes(0..end), "direct: {direct}");
        }
    }

    #[test]
    fn a_thread_writes_where_lanes_belong() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Behind::new(&folder.path().join("none")).is_err());
        let path = folder.path().join("a");
        File::create(&path).unwrap();
        let behind = Behind::new(&path).unwrap();
        let mut lane = Lane::at(5);
        lane.fill(b"five");
        assert_eq!(behind.pass_on(lane, 77).unwrap().end(), 77);
        behind.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"\0\0\0\0\0five");
    }
}
