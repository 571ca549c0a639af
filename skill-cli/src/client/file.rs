use skill_core::name::SkillName;
use skill_core::version::Version;

use super::{ClientError, Session};

/// Longest file that is read for showing.
const FILE_CAP: u64 = 1 << 20;

impl Session {
    /// One file of a release, for showing; what is installed comes from the archive alone. `None` if the
    /// registry does not show it.
    pub async fn file(
        &self,
        name: &SkillName,
        version: &Version,
        path: &str,
    ) -> Result<Option<Vec<u8>>, ClientError> {
        let mut url = self.endpoint().join(&["api", "v1", "skills", name.slug.as_str(), "file"]);
        url.query_pairs_mut()
            .append_pair("path", path)
            .append_pair("version", &version.to_string())
            .append_pair("ownerHandle", name.owner.as_str());
        let answer = self.send(&self.read(url, "*/*", FILE_CAP)).await?;
        match answer.status {
            403 | 404 | 410 | 413 | 423 => Ok(None),
            _ => self.good(answer).map(|answer| Some(answer.body)),
        }
    }
}
