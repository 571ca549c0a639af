//! One skill at every place that is no registry: a folder, an archive, the same by URL, a repository.

use std::path::PathBuf;
use std::process::Command;

use super::git::{GitServer, Manner, Repo};
use super::{Sandbox, Skill};

/// The places of one skill. All of them hold the same files.
pub(crate) struct Elsewhere<'a> {
    user: &'a Sandbox,
    name: String,
    repo: Repo,
    server: GitServer,
}

impl<'a> Elsewhere<'a> {
    /// Puts a skill that is called `name` everywhere.
    pub(crate) fn of(user: &'a Sandbox, name: &str, skill: &Skill) -> Self {
        let repo = Repo::new();
        fs_err::create_dir(repo.root().join("files")).unwrap();
        let server = GitServer::start(repo.root(), Manner::Open);
        let places = Self { user, name: name.to_owned(), repo, server };
        places.put(skill);
        places
    }

    /// Puts another state of it everywhere.
    pub(crate) fn put(&self, skill: &Skill) {
        let (name, work) = (&self.name, self.repo.root().join("work"));
        skill.write(self.user, &format!("source/{name}"));
        let line = format!(
            "tar -C source/{name} --sort=name -czf {name}.tar.gz . && cp {name}.tar.gz '{files}' && \
             find '{work}' -mindepth 1 -not -path '*/.git*' -delete && cp -r source/{name}/. '{work}'",
            files = self.repo.root().join("files").display(),
            work = work.display(),
        );
        let status = Command::new("sh").args(["-ec", &line]).current_dir(self.user.work()).status();
        assert!(status.unwrap().success(), "{line}");
        self.repo.commit("state");
    }

    /// The folder.
    pub(crate) fn folder(&self) -> String {
        format!("./source/{}", self.name)
    }

    /// The archive, as a file.
    pub(crate) fn archive(&self) -> String {
        format!("./{}.tar.gz", self.name)
    }

    /// Where that file lies.
    pub(crate) fn archive_file(&self) -> PathBuf {
        self.user.path(&format!("{}.tar.gz", self.name))
    }

    /// The archive, by URL.
    pub(crate) fn url(&self) -> String {
        self.server.url(&format!("/{}.tar.gz", self.name))
    }

    /// The repository.
    pub(crate) fn git(&self) -> String {
        format!("git:{}", self.server.url("/r.git"))
    }

    /// The newest commit.
    pub(crate) fn commit(&self) -> String {
        self.repo.git(&["rev-parse", "HEAD"])
    }

    /// All four.
    pub(crate) fn all(&self) -> [String; 4] {
        [self.folder(), self.archive(), self.url(), self.git()]
    }
}
