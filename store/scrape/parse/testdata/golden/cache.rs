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

macro_rules! cached {
    ($e:expr) => { $e };
}

#[cfg(test)]
mod tests {
    #[test]
    fn gets() { assert!(super::LIMIT > 0); helper::<u8>(); }
}
