//! What the operator asks of a running relay: to close a table, to turn an address away. The commands
//! leave it in the data folder, where only the relay's user can write, and the relay looks there.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tandem_core::TableCode;
use thiserror::Error;
use tokio::sync::watch;

use crate::{Relay, stopped};
use crate::{files, journal};

/// How often the relay looks.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// An address, or all whose first bits are the same: `203.0.113.7`, `2001:db8::/32`. What follows
/// those bits is left out, so that the same addresses are the same block however they are written.
///
/// ```
/// use tandem_relay::Block;
///
/// let block: Block = "198.51.100.0/24".parse().unwrap();
/// assert!(block.has("198.51.100.77".parse().unwrap()));
/// assert!(!block.has("198.51.101.77".parse().unwrap()));
/// assert_eq!(block.to_string(), "198.51.100.0/24");
/// assert_eq!("198.51.100.9/24".parse(), Ok(block));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    address: IpAddr,
    bits: u8,
}

/// Not an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write an address such as 203.0.113.7, or several as 203.0.113.0/24 or 2001:db8::/32")]
pub struct BadBlock;

impl FromStr for Block {
    type Err = BadBlock;

    fn from_str(text: &str) -> Result<Block, BadBlock> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let written: IpAddr = address.parse().map_err(|_| BadBlock)?;
        let width = |address: IpAddr| if address.is_ipv4() { 32 } else { 128 };
        let mut bits = match bits {
            Some(bits) => bits.parse().map_err(|_| BadBlock)?,
            None => width(written),
        };
        if bits > width(written) {
            return Err(BadBlock);
        }
        // `::ffff:203.0.113.7` is how some systems write 203.0.113.7.
        let mut address = written;
        let before = width(written) - width(written.to_canonical());
        if bits >= before {
            address = written.to_canonical();
            bits -= before;
        }
        let all = width(address);
        let rest = u32::from(all - bits);
        let address = match address {
            IpAddr::V4(own) => {
                let kept = u32::MAX.checked_shl(rest).unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from_bits(own.to_bits() & kept))
            }
            IpAddr::V6(own) => {
                let kept = u128::MAX.checked_shl(rest).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from_bits(own.to_bits() & kept))
            }
        };
        Ok(Block { address, bits })
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = if self.address.is_ipv4() { 32 } else { 128 };
        if self.bits == all {
            self.address.fmt(f)
        } else {
            write!(f, "{}/{}", self.address, self.bits)
        }
    }
}

impl Block {
    /// Whether that address is blocked by this.
    pub fn has(&self, address: IpAddr) -> bool {
        let differ = match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                u128::from(own.to_bits() ^ other.to_bits()) << 96
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => own.to_bits() ^ other.to_bits(),
            _ => return false,
        };
        differ.leading_zeros() >= u32::from(self.bits)
    }
}

/// Whom the relay turns away.
#[derive(Debug, Default)]
pub(crate) struct Blocks(Vec<Block>);

impl Blocks {
    pub(crate) fn has(&self, address: IpAddr) -> bool {
        self.0.iter().any(|block| block.has(address))
    }
}

fn closing(data: &Path) -> PathBuf {
    data.join("close")
}

fn blocked(data: &Path) -> PathBuf {
    data.join("blocked")
}

/// Asks the relay whose data folder this is to close a table; says whether it has one of that code.
///
/// # Errors
/// When nothing can be written there.
pub fn close(data: &Path, code: TableCode) -> io::Result<bool> {
    if !journal::path(data, code).try_exists()? {
        return Ok(false);
    }
    let folder = closing(data);
    files::make_folder(&folder)?;
    files::write(&folder.join(code.to_string()), b"")?;
    Ok(true)
}

/// Asks the relay whose data folder this is to turn an address away from now on.
///
/// # Errors
/// When nothing can be written there.
pub fn block(data: &Path, block: Block) -> io::Result<()> {
    files::make_folder(data)?;
    let mut file = files::private()
        .create(true)
        .append(true)
        .open(blocked(data))?;
    file.write_all(format!("{block}\n").as_bytes())
}

/// Takes a block back; says whether there was one.
///
/// # Errors
/// When the list cannot be read or written.
pub fn unblock(data: &Path, block: Block) -> io::Result<bool> {
    let path = blocked(data);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let is_it = |line: &&str| line.trim().parse() == Ok(block);
    let rest: String = text
        .lines()
        .filter(|line| !is_it(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    let beside = path.with_extension("new");
    files::write(&beside, rest.as_bytes())?;
    fs::rename(&beside, &path)?;
    Ok(rest.lines().count() < text.lines().count())
}

/// The addresses that are blocked.
///
/// # Errors
/// When the list cannot be read.
pub fn blocks(data: &Path) -> io::Result<Vec<Block>> {
    match fs::read_to_string(blocked(data)) {
        Ok(text) => Ok(text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .filter_map(|line| match line.parse() {
                Ok(block) => Some(block),
                Err(error) => {
                    tracing::error!("{line:?} in the list of blocked addresses: {error}");
                    None
                }
            })
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Does what the operator asks, until the relay stops.
pub(crate) async fn obey(relay: Arc<Relay>, data: PathBuf, blocks: watch::Sender<Blocks>) {
    let mut stopping = relay.stopping.clone();
    let mut seen = None;
    loop {
        let folder = data.clone();
        let looked = tokio::task::spawn_blocking(move || look(&folder, seen)).await;
        if let Ok((closes, list, at)) = looked {
            seen = at;
            if let Some(list) = list {
                blocks.send_replace(Blocks(list));
            }
            for code in closes {
                relay.registry.close(code).await;
            }
        }
        tokio::select! {
            () = stopped(&mut stopping) => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

type Seen = Option<(SystemTime, u64)>;

/// Which tables are to be closed, and the list of blocks if it has changed.
fn look(data: &Path, seen: Seen) -> (Vec<TableCode>, Option<Vec<Block>>, Seen) {
    let mut closes = Vec::new();
    for entry in fs::read_dir(closing(data)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        closes.extend(
            name.to_str()
                .and_then(|name| name.parse::<TableCode>().ok()),
        );
        if let Err(error) = fs::remove_file(entry.path()) {
            tracing::error!("{} cannot be removed: {error}", entry.path().display());
        }
    }
    let found = fs::metadata(blocked(data)).ok();
    let at = found.and_then(|found| Some((found.modified().ok()?, found.len())));
    if at == seen {
        return (closes, None, seen);
    }
    match blocks(data) {
        Ok(list) => (closes, Some(list), at),
        Err(error) => {
            tracing::error!("the list of blocked addresses cannot be read: {error}");
            (closes, None, seen)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_listed_added_and_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let [one, many] = ["203.0.113.7", "2001:db8::/32"].map(|text| text.parse().unwrap());
        assert_eq!(blocks(&data).unwrap(), []);
        assert!(!unblock(&data, one).unwrap());
        block(&data, one).unwrap();
        block(&data, many).unwrap();
        assert_eq!(blocks(&data).unwrap(), [one, many]);
        let list = Blocks(blocks(&data).unwrap());
        for (address, has) in [
            ("203.0.113.7", true),
            ("::ffff:203.0.113.7", true),
            ("203.0.113.8", false),
            ("2001:db8:9::1", true),
            ("2001:db9::1", false),
        ] {
            assert_eq!(list.has(address.parse().unwrap()), has, "{address}");
        }
        // However they are written.
        assert!(unblock(&data, "::ffff:203.0.113.7/128".parse().unwrap()).unwrap());
        let mapped: Block = "::ffff:1.2.3.4/104".parse().unwrap();
        assert_eq!(mapped.to_string(), "1.0.0.0/8");
        assert_eq!(
            "2001:db8:9::1/32".parse::<Block>().unwrap().to_string(),
            many.to_string()
        );
        assert_eq!(blocks(&data).unwrap(), [many]);
        for bad in [
            "",
            "nobody",
            "203.0.113.7/33",
            "2001:db8::/129",
            "1.2.3.4/x",
        ] {
            assert_eq!(bad.parse::<Block>(), Err(BadBlock));
        }
        assert!(
            "0.0.0.0/0"
                .parse::<Block>()
                .unwrap()
                .has("8.8.8.8".parse().unwrap())
        );
    }

    #[test]
    fn what_is_asked_is_found_once() {
        let folder = tempfile::tempdir().unwrap();
        let code = TableCode::from_random(99);
        assert!(!close(folder.path(), code).unwrap());
        assert_eq!(look(folder.path(), None).0, []);
        let path = journal::path(folder.path(), code);
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        assert!(close(folder.path(), code).unwrap());
        let (closes, list, seen) = look(folder.path(), None);
        assert_eq!((closes, list, seen), (vec![code], None, None));
        block(folder.path(), "192.0.2.1".parse().unwrap()).unwrap();
        let (closes, list, seen) = look(folder.path(), seen);
        assert_eq!((closes.len(), list.map(|list| list.len())), (0, Some(1)));
        assert!(look(folder.path(), seen).1.is_none());
    }
}
