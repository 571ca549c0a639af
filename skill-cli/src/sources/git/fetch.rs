//! From a remote into a repository that lives as long as the command: refs, one commit without contents,
//! and then the contents that are wanted.

use skill_bundle::Limits;
use tempfile::TempDir;

use super::address::Address;
use super::error::{Refusal, failure};
use super::listing::Listing;
use super::process::{Broken, Ended};
use super::program::{Call, Git, REMOTE};
use super::refs::{Chosen, Refs};
use super::wish::is_commit;
use crate::code::Code;
use crate::failure::Failure;
use crate::text::number;

const MIB: u64 = 1 << 20;
/// Of the answer of `ls-remote` and of a listing: half a million entries, which take some times as much when read.
const LISTING_CAP: u64 = 32 * MIB;
/// Of every commit of all branches and tags, when only the beginning of a name is known.
const COMMITS_CAP: u64 = 64 * MIB;
/// Of a fetch that may come from a remote that cannot leave contents out: one commit of a large repository.
const WHOLE_CAP: u64 = 1024 * MIB;

/// A bare repository in the cache folder, removed when this value goes.
pub(super) struct Repository<'a> {
    git: &'a Git<'a>,
    address: &'a Address,
    folder: TempDir,
}

/// Every branch and tag.
const ALL: [&str; 2] = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
/// What the repositories of commands are called.
const PREFIX: &str = ".repository-";

/// Removes what commands left that were killed before `abandoned`.
fn sweep(folder: &std::path::Path, abandoned: jiff::Timestamp) {
    for entry in fs_err::read_dir(folder).into_iter().flatten().flatten() {
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let modified = entry.metadata().ok().and_then(|metadata| metadata.modified().ok());
        let modified = modified.and_then(|time| jiff::Timestamp::try_from(time).ok());
        if named && modified.is_some_and(|modified| modified < abandoned) {
            // Whoever cannot remove it can still make another one.
            let _ = fs_err::remove_dir_all(entry.path());
        }
    }
}

/// An object and what it holds; none if it is no blob or is not there.
pub(super) type Blob = Option<Vec<u8>>;

impl<'a> Repository<'a> {
    pub(super) fn new(git: &'a Git<'a>, address: &'a Address) -> Result<Self, Failure> {
        let disk = |error: &std::io::Error| Failure::disk(error, "the cache").nothing_changed();
        fs_err::create_dir_all(&git.folder).map_err(|error| disk(&error))?;
        sweep(&git.folder, git.abandoned);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&git.folder);
        Ok(Self { git, address, folder: folder.map_err(|error| disk(&error))? })
    }

    /// The answer of `git ls-remote`; the repository is made for the kind of object that it names.
    pub(super) async fn list_refs(&self) -> Result<Vec<u8>, Failure> {
        self.init(40).await?;
        let words = vec!["ls-remote", "--symref", "--quiet", REMOTE];
        let call = Call { words, input: Vec::new(), cap: LISTING_CAP, packs: None, remote: true };
        let answer = self.list(call, "branches and tags").await?;
        if Refs::digits(&answer) == 64 {
            self.init(64).await?;
        }
        Ok(answer)
    }

    async fn init(&self, digits: usize) -> Result<(), Failure> {
        let format = if digits == 64 { "--object-format=sha256" } else { "--object-format=sha1" };
        let head = self.folder.path().join("HEAD");
        if head.exists() {
            let disk = |error: &std::io::Error| Failure::disk(error, "the cache").nothing_changed();
            fs_err::remove_dir_all(self.folder.path()).map_err(|error| disk(&error))?;
            fs_err::create_dir(self.folder.path()).map_err(|error| disk(&error))?;
        }
        let words = vec!["init", "--bare", "--quiet", "--template=", format, "."];
        self.good(Call { words, input: Vec::new(), cap: MIB, packs: None, remote: false }).await.map(drop)
    }

    /// Brings a commit here without its contents; gives the commit, which is another object than was named
    /// if that is a tag.
    pub(super) async fn fetch(&self, chosen: &Chosen, address: &Address) -> Result<String, Failure> {
        if !self.head().exists() {
            self.init(chosen.commit.len()).await?;
        }
        let named = chosen.commit.as_str();
        let first = self.get(&["--depth=1", "--filter=blob:none"], &[named]).await?;
        if let Err(why) = first {
            self.get_otherwise(chosen, &why).await?;
        }
        let peeled = format!("{named}^{{commit}}");
        let words = vec!["rev-parse", "--verify", "--quiet", "--end-of-options", &peeled];
        let call = Call { words, input: Vec::new(), cap: MIB, packs: None, remote: false };
        let ended = self.run(call).await?;
        let commit = String::from_utf8_lossy(&ended.stdout).trim().to_owned();
        if ended.status.success() && is_commit(&commit) {
            return Ok(commit);
        }
        let what = chosen.reference.as_deref().unwrap_or("HEAD");
        let short = named.get(..12).unwrap_or(named);
        Err(Failure::new(Code::GitRefNotFound, format!("{} has no commit {short}", address.shown))
            .because(format!("asked for {what}"))
            .nothing_changed()
            .hint("add `--ref REF` with a branch, a tag or another commit"))
    }

    /// A remote that gives no commit by its name gives all branches and tags; one that cannot leave anything
    /// out gives them whole.
    async fn get_otherwise(&self, chosen: &Chosen, why: &Refusal) -> Result<(), Failure> {
        if !why.is_about_the_way() {
            return Err(failure(self.address, why));
        }
        let wanted = chosen.full.as_deref().map(|full| format!("+{full}:{full}"));
        let one: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let ways: [(&[&str], &[&str]); 3] =
            [(&["--depth=1", "--filter=blob:none"], &one), (&["--filter=blob:none"], &ALL), (&[], &ALL)];
        let mut last = Ok(());
        for (options, refs) in ways {
            if refs.is_empty() {
                continue;
            }
            last = self.get(options, refs).await?;
            if last.is_ok() && self.has(&chosen.commit).await? {
                return Ok(());
            }
        }
        last.map_err(|why| failure(self.address, &why))
    }

    /// Brings objects here, all in one exchange.
    pub(super) async fn get_contents(&self, objects: &[String]) -> Result<(), Refusal> {
        let limits = Limits::default();
        let mut words = fetch_words(&["--filter=blob:none"]);
        words.splice(0..0, ["-c", "fetch.negotiationAlgorithm=noop"]);
        words.push("--stdin");
        let input = objects.iter().flat_map(|object| [object.as_bytes(), b"\n"].concat()).collect();
        let before = pack_bytes(self.folder.path());
        let packs = Some(before + limits.bundle_bytes + 16 * MIB);
        words.push(REMOTE);
        let call = Call { words, input, cap: MIB, packs, remote: true };
        match self.git.run(self.folder.path(), self.address, call).await {
            Ok(ended) if ended.status.success() => Ok(()),
            Ok(ended) => Err(Refusal::Said(ended.stderr)),
            Err(broken) => Err(Refusal::Broken(broken, self.git.patience())),
        }
    }

    /// Brings everything here, from a remote that gives no content by its name.
    pub(super) async fn get_whole(&self) -> Result<(), Failure> {
        let whole = self.get(&["--refetch", "--no-filter"], &ALL).await?;
        whole.map_err(|refusal| self.failure(&refusal))
    }

    /// The sizes of objects, in their order; none where one is not here.
    pub(super) async fn sizes(&self, objects: &[String]) -> Result<Vec<Option<u64>>, Failure> {
        let words = vec!["cat-file", "--batch-check=%(objecttype) %(objectsize)"];
        let input = lines(objects);
        let call = Call { words, input, cap: LISTING_CAP, packs: None, remote: false };
        let answer = self.good(call).await?.stdout;
        let size = |line: &str| line.strip_prefix("blob ").and_then(|size| size.parse().ok());
        Ok(String::from_utf8_lossy(&answer).lines().map(size).collect())
    }

    /// The contents of objects that are here, in their order.
    pub(super) async fn contents(&self, objects: &[String]) -> Result<Vec<Blob>, Failure> {
        let words = vec!["cat-file", "--batch"];
        let cap = Limits::default().bundle_bytes + 200 * objects.len() as u64 + MIB;
        let call = Call { words, input: lines(objects), cap, packs: None, remote: false };
        let answer = self.good(call).await?.stdout;
        let mut rest = answer.as_slice();
        let mut blobs = Vec::with_capacity(objects.len());
        for _ in objects {
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else { break };
            let head = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let mut words = head.split(' ').skip(1);
            let (kind, size) = (words.next(), words.next().and_then(|size| size.parse::<usize>().ok()));
            let Some((size, content)) = size.and_then(|size| Some((size, rest.get(..size)?))) else {
                blobs.push(None);
                continue;
            };
            blobs.push((kind == Some("blob")).then(|| content.to_vec()));
            rest = rest.get(size + 1..).unwrap_or_default();
        }
        Ok(blobs)
    }

    /// Every file of a commit.
    pub(super) async fn listing(&self, commit: &str) -> Result<Listing, Failure> {
        let words = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
        let call = Call { words, input: Vec::new(), cap: LISTING_CAP, packs: None, remote: false };
        Ok(Listing::parse(&self.list(call, "files").await?))
    }

    /// The whole name of a commit of which only the beginning is known: every commit is brought here,
    /// without folders and contents.
    /// `digits`: how many the whole one has.
    pub(super) async fn abbreviated(
        &self,
        beginning: &str,
        digits: usize,
    ) -> Result<Option<String>, Failure> {
        let scratch = Repository::new(self.git, self.address)?;
        scratch.init(digits).await?;
        match scratch.get_within(COMMITS_CAP, &["--filter=tree:0"], &ALL).await? {
            Ok(()) => {}
            Err(Refusal::Whole(limit)) => {
                let text = format!("{beginning} was not found in {}", self.address.shown);
                return Err(Failure::new(Code::GitRefNotFound, text)
                    .because(format!(
                        "its history is larger than {}, and was not read further",
                        number::size(limit)
                    ))
                    .nothing_changed()
                    .hint("write the whole commit, or a branch or a tag"));
            }
            Err(why) => return Err(failure(self.address, &why)),
        }
        let peeled = format!("{beginning}^{{commit}}");
        let words = vec!["rev-parse", "--verify", "--quiet", "--end-of-options", &peeled];
        let ended =
            scratch.run(Call { words, input: Vec::new(), cap: MIB, packs: None, remote: false }).await?;
        let commit = String::from_utf8_lossy(&ended.stdout).trim().to_owned();
        Ok((ended.status.success() && is_commit(&commit)).then_some(commit))
    }

    /// What a refusal of the remote is called.
    pub(super) fn failure(&self, refusal: &Refusal) -> Failure {
        failure(self.address, refusal)
    }

    async fn has(&self, commit: &str) -> Result<bool, Failure> {
        let words = vec!["cat-file", "-e", commit];
        let call = Call { words, input: Vec::new(), cap: MIB, packs: None, remote: false };
        Ok(self.run(call).await?.status.success())
    }

    fn head(&self) -> std::path::PathBuf {
        self.folder.path().join("HEAD")
    }

    /// One `git fetch`; what the remote says against it may be no reason to end.
    async fn get(&self, options: &[&str], refs: &[&str]) -> Result<Result<(), Refusal>, Failure> {
        match self.get_within(WHOLE_CAP, options, refs).await? {
            Err(whole @ Refusal::Whole(_)) => Err(failure(self.address, &whole)),
            got => Ok(got),
        }
    }

    /// The same, with a bound of its own.
    async fn get_within(
        &self,
        limit: u64,
        options: &[&str],
        refs: &[&str],
    ) -> Result<Result<(), Refusal>, Failure> {
        let mut words = fetch_words(options);
        words.push(REMOTE);
        words.extend(refs);
        let call = Call { words, input: Vec::new(), cap: MIB, packs: Some(limit), remote: true };
        match self.git.run(self.folder.path(), self.address, call).await {
            Ok(ended) if ended.status.success() => Ok(Ok(())),
            Ok(ended) => Ok(Err(Refusal::Said(ended.stderr))),
            Err(Broken::TooMuch(limit)) => Ok(Err(Refusal::Whole(limit))),
            Err(broken) => Err(self.broken(broken)),
        }
    }

    async fn good(&self, call: Call<'_>) -> Result<Ended, Failure> {
        let remote = call.remote;
        let ended = self.run(call).await?;
        if ended.status.success() {
            return Ok(ended);
        }
        let refusal = if remote { Refusal::Said } else { Refusal::Here };
        Err(failure(self.address, &refusal(ended.stderr)))
    }

    /// What a call lists, within [`LISTING_CAP`].
    async fn list(&self, call: Call<'_>, what: &'static str) -> Result<Vec<u8>, Failure> {
        let remote = call.remote;
        match self.git.run(self.folder.path(), self.address, call).await {
            Ok(ended) if ended.status.success() => Ok(ended.stdout),
            Ok(ended) if remote => Err(failure(self.address, &Refusal::Said(ended.stderr))),
            Ok(ended) => Err(failure(self.address, &Refusal::Here(ended.stderr))),
            Err(Broken::TooMuch(limit)) => Err(failure(self.address, &Refusal::Many(what, limit))),
            Err(broken) => Err(self.broken(broken)),
        }
    }

    async fn run(&self, call: Call<'_>) -> Result<Ended, Failure> {
        let ended = self.git.run(self.folder.path(), self.address, call).await;
        ended.map_err(|broken| self.broken(broken))
    }

    fn broken(&self, broken: Broken) -> Failure {
        failure(self.address, &Refusal::Broken(broken, self.git.patience()))
    }
}

fn fetch_words<'w>(options: &[&'w str]) -> Vec<&'w str> {
    let mut words = vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    words.extend(options);
    words
}

fn lines(objects: &[String]) -> Vec<u8> {
    objects.iter().flat_map(|object| [object.as_bytes(), b"\n"].concat()).collect()
}

fn pack_bytes(repository: &std::path::Path) -> u64 {
    let entries = fs_err::read_dir(repository.join("objects/pack")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}
