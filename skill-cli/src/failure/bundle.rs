use skill_bundle::BundleError;

use super::Failure;
use crate::code::Code;
use crate::report::{Cell, Column, Detail, Hint, Table};
use crate::text::number;

const NOT_UNPACKED: &str = "nothing was unpacked";

impl Failure {
    /// A folder or an archive, shown as `path`, that is no bundle. Nothing of it was unpacked.
    pub fn of_bundle(error: &BundleError, path: &str) -> Self {
        let code = Code::named(error.code()).unwrap_or(Code::Internal);
        let failure = match error {
            BundleError::NotFound { .. } => Self::new(code, format!("there is nothing at {path}")),
            BundleError::NotAFolder { .. } => Self::new(code, format!("{path} is not a folder")),
            BundleError::Io { error, .. } => return Self::disk(error, path),
            BundleError::NoSkillMd { .. } => Self::new(code, format!("there is no SKILL.md in {path}")),
            BundleError::Several { folders } => return several(code, folders, path),
            _ => Self::new(code, format!("{path}: {error}")),
        };
        let failure = match error {
            BundleError::NoSkillMd { ignore_files, .. } if !ignore_files.is_empty() => {
                failure.because(format!("ignore rules that hold there: {}", ignore_files.join(", ")))
            }
            _ => failure,
        };
        let failure = if code.as_str().starts_with("bundle-") {
            failure.because_in_text(NOT_UNPACKED)
        } else {
            failure
        };
        match (error, code.entry().hint) {
            (_, "-") => failure,
            // No rule of that file leaves it out itself.
            (BundleError::FileLarge { path, .. }, _) if path == ".skillignore" => {
                failure.hint("shorten it; one line can leave out a whole folder")
            }
            (_, hint) => failure.hint(hint),
        }
    }

    /// The same for a folder on this machine: what is in it can be renamed or left out, and there was nothing to unpack.
    pub fn of_folder(error: &BundleError, path: &str) -> Self {
        let mut failure = Self::of_bundle(error, path);
        failure
            .details
            .retain(|detail| !matches!(detail, Detail::BecauseInText(fact) if fact == NOT_UNPACKED));
        if failure.code.entry().hint.starts_with("ask its maker") {
            failure.hints = vec![Hint::new("rename it, or leave it out with `.skillignore`")];
        }
        failure
    }

    /// The same for files of somebody else, in which no `.skillignore` is read.
    pub fn of_foreign_bundle(error: &BundleError, path: &str) -> Self {
        let mut failure = Self::of_bundle(error, path);
        if failure.code.entry().hint.contains(".skillignore") {
            let is_size =
                matches!(failure.code, Code::BundleLarge | Code::BundleFileLarge | Code::BundleFilesMany);
            let wanted = if is_size { "a smaller one" } else { "one without it" };
            failure.hints = vec![Hint::new(format!("ask its maker for {wanted}"))];
        }
        failure
    }
}

fn several(code: Code, folders: &[String], path: &str) -> Failure {
    let mut table = Table::new([Column::new("").whole()]);
    for folder in folders {
        table.push([Cell::from(folder.as_str())]);
    }
    let failure =
        Failure::new(code, format!("{path} holds {}", number::counted(folders.len(), "skill", "skills")))
            .list(table)
            .key("candidates", folders.to_vec());
    match folders.first() {
        Some(first) => {
            failure.hint(format!("add `--path {}` to choose one", crate::text::quote::shell(first)))
        }
        None => failure,
    }
}
