use super::ConfigError;
use super::layers::{Key, Layers};
use crate::rate::{Allowance, Allowances};

/// The settings of one kind of request.
#[derive(Clone, Copy)]
struct Kind {
    address: Key,
    user: Key,
    admin: Key,
}

const READ: Kind = Kind {
    address: Key { name: "rate.read.address", default: "3000" },
    user: Key { name: "rate.read.user", default: "12000" },
    admin: Key { name: "rate.read.admin", default: "120000" },
};
const WRITE: Kind = Kind {
    address: Key { name: "rate.write.address", default: "300" },
    user: Key { name: "rate.write.user", default: "3000" },
    admin: Key { name: "rate.write.admin", default: "30000" },
};
const DOWNLOAD: Kind = Kind {
    address: Key { name: "rate.download.address", default: "1200" },
    user: Key { name: "rate.download.user", default: "6000" },
    admin: Key { name: "rate.download.admin", default: "60000" },
};
const EXPORT: Kind = Kind {
    address: Key { name: "rate.export.address", default: "10" },
    user: Key { name: "rate.export.user", default: "60" },
    admin: Key { name: "rate.export.admin", default: "60" },
};
const REFUSED: Key = Key { name: "rate.refused.address", default: "300" };

pub(super) fn keys() -> impl Iterator<Item = Key> {
    let kinds = [READ, WRITE, DOWNLOAD, EXPORT];
    kinds.into_iter().flat_map(|kind| [kind.address, kind.user, kind.admin]).chain([REFUSED])
}

impl Allowances {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            read: allowance(layers, READ)?,
            write: allowance(layers, WRITE)?,
            download: allowance(layers, DOWNLOAD)?,
            export: allowance(layers, EXPORT)?,
            refused: a_minute(layers, REFUSED)?,
        })
    }
}

fn allowance(layers: &mut Layers, kind: Kind) -> Result<Allowance, ConfigError> {
    Ok(Allowance {
        address: a_minute(layers, kind.address)?,
        user: a_minute(layers, kind.user)?,
        admin: a_minute(layers, kind.admin)?,
    })
}

fn a_minute(layers: &mut Layers, key: Key) -> Result<u32, ConfigError> {
    layers.take(key, |text| text.parse().map_err(|_| "a number of requests a minute, 0 for no limit"))
}
