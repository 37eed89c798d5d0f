//! A cache.
use std::{collections::HashMap, io::{self, Read as R}};

/// Entries at most.
pub const LIMIT: usize = 10;
static NAME: &str = "cache";

/// Cache keeps values. It forgets the oldest.
#[derive(Debug)]
pub struct Cache<K> {
    items: HashMap<K, String>,
}

impl<K: Eq> Cache<K> {
    /// Gets a value.
    #[inline]
    pub fn get(&self, key: &K) -> Option<&String> {
        fn local() {}
        self.items.get(key).map(|v| io::copy(v)).unwrap_or_default()
    }

    fn clear(&mut self) { self.items.clear() }
}

impl<K> std::fmt::Display for Cache<K> {
    fn fmt(&self, f: &mut Formatter) -> Result { write!(f, "{}", NAME) }
}

pub trait Store {
    type Key;
    fn put(&mut self, key: Self::Key);
}

pub enum Mode { Fast, Safe }

fn fill<S>(store: &mut S, mode: Option<Mode>, pool: Arc<dyn Store + Send>) where S: Store {
    let disk = Disk::open("x").unwrap();
    let cache = Arc::new(Cache { items });
    let text = String::new();
    if let Some(mode) = mode { mode.name(); }
    store.put(1);
    disk.sync();
    cache.clear();
    pool.put(2);
    text.push('a');
    for text in lines { text.trim(); }
    Vec::<u8>::new().push(3);
    Disk::builder().path("y").build();
}

macro_rules! cached {
    ($e:expr) => { $e };
}

#[cfg(test)]
mod tests {
    #[test]
    fn gets() { assert!(super::LIMIT > 0); helper::<u8>(); }
}
