use skill_core::digest::RegistryId;
use skill_trust::{Root, RootChain, TrustedRoot};

use super::folder::{make_private, write_once};
use super::{DataError, Folder, FolderLock, Keys, first, web_key};
use crate::auth::TokenText;
use crate::clock::Clock;
use crate::config::Config;
use crate::entropy::Entropy;
use crate::sealed::WebKey;
use crate::store::{Db, Location, roots};

/// A registry that was opened to be served.
#[derive(Debug)]
pub struct Opened {
    /// Where its things are.
    pub folder: Folder,
    /// Its memory.
    pub db: Db,
    /// What it signs with.
    pub keys: Keys,
    /// What it knows its own forms by.
    pub web_key: WebKey,
    /// What clients verify with.
    pub root: TrustedRoot,
    /// The administrator's first token, while it was not shown.
    pub first_token: Option<TokenText>,
    /// Keeps other servers out.
    pub lock: FolderLock,
}

/// Opens the registry of a data folder, and makes it or the rest of it if that was not done.
pub async fn open_or_make(config: &Config, clock: &Clock, entropy: &Entropy) -> Result<Opened, DataError> {
    let folder = Folder::at(&config.data);
    folder.make()?;
    let lock = folder.lock()?;
    let db = Db::open(&config.database.location(folder.path()), clock.clone(), entropy.clone()).await?;
    let known = first::registry_id(&mut *db.read().await?).await?;
    let first_root = folder.root(1);
    if let Some(database) = known
        && !first_root.exists()
    {
        return Err(DataError::RootLost { database, folder: config.data.clone() });
    }
    let keys = if first_root.exists() {
        Keys::open(&folder)?
    } else {
        let keys = Keys::make(&folder, entropy)?;
        make_private(first_root.parent().unwrap_or(folder.path()))?;
        write_once(&first_root, &Root::first(clock.now(), keys.all())?, 0o644)?;
        keys
    };
    let root_text = fs_err::read_to_string(&first_root)?;
    let id = Root::registry_id(root_text.as_bytes());
    let database = match known {
        Some(known) => known,
        None => first::make(&db, entropy, id, &root_text).await?,
    };
    if database != id {
        return Err(DataError::OtherRegistry { folder: id, database });
    }
    let root = trusted(&db, id).await?;
    keys.check(&root)?;
    let web_key = web_key::read_or_make(&folder, entropy)?;
    let first_token = first::token(&db, entropy, clock.now()).await?;
    Ok(Opened { folder, db, keys, web_key, root, first_token, lock })
}

/// Opens the database of a registry that was made before, beside a server that may be running.
pub async fn open_made(config: &Config, clock: &Clock, entropy: &Entropy) -> Result<Db, DataError> {
    let location = config.database.location(&config.data);
    let not_made = || DataError::NotMade { folder: config.data.clone() };
    if let Location::File(file) = &location
        && !file.exists()
    {
        return Err(not_made());
    }
    let db = Db::open(&location, clock.clone(), entropy.clone()).await?;
    let made = first::registry_id(&mut *db.read().await?).await?.is_some();
    if made { Ok(db) } else { Err(not_made()) }
}

async fn trusted(db: &Db, id: RegistryId) -> Result<TrustedRoot, DataError> {
    let chain = roots::chain(&mut *db.read().await?).await?;
    let files: Vec<Vec<u8>> = chain.into_iter().map(String::into_bytes).collect();
    Ok(RootChain::verify(&files, id)?)
}
