//! Where each agent looks for its skills: one row an agent.
//!
//! Folders as the agents document them in 2026-11. A row is data: adding an agent needs no code.

/// One agent and its folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// What `--agent` takes.
    pub name: &'static str,
    /// Other spellings of the name.
    pub aliases: &'static [&'static str],
    /// Folder of skills inside a project, relative, with `/`.
    pub project_dir: &'static str,
    /// Folder of skills of a user, relative to the home folder, with `/`.
    pub global_dir: &'static str,
}

const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    project_dir: &'static str,
    global_dir: &'static str,
) -> Agent {
    Agent { name, aliases, project_dir, global_dir }
}

/// Every agent that is known, by name.
pub const AGENTS: &[Agent] = &[
    row("amp", &[], ".agents/skills", ".config/agents/skills"),
    row("claude-code", &["claude"], ".claude/skills", ".claude/skills"),
    row("cline", &[], ".agents/skills", ".agents/skills"),
    row("codex", &[], ".agents/skills", ".codex/skills"),
    row("continue", &[], ".continue/skills", ".continue/skills"),
    row("copilot", &["github-copilot"], ".agents/skills", ".copilot/skills"),
    row("crush", &[], ".crush/skills", ".config/crush/skills"),
    row("cursor", &[], ".agents/skills", ".cursor/skills"),
    row("gemini", &["gemini-cli"], ".agents/skills", ".gemini/skills"),
    row("goose", &[], ".goose/skills", ".config/goose/skills"),
    row("hermes", &["hermes-agent"], ".hermes/skills", ".hermes/skills"),
    row("junie", &[], ".junie/skills", ".junie/skills"),
    row("kiro", &["kiro-cli"], ".kiro/skills", ".kiro/skills"),
    row("openclaw", &[], "skills", ".openclaw/skills"),
    row("opencode", &[], ".agents/skills", ".config/opencode/skills"),
    row("openhands", &[], ".openhands/skills", ".openhands/skills"),
    row("roo", &["roo-code"], ".roo/skills", ".roo/skills"),
    row("windsurf", &[], ".windsurf/skills", ".codeium/windsurf/skills"),
];

/// The agent called `name`, by its name or an alias.
pub fn find(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().find(|agent| agent.name == name || agent.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_names_are_unique() {
        assert!(AGENTS.is_sorted_by_key(|agent| agent.name));
        let mut names: Vec<_> =
            AGENTS.iter().flat_map(|agent| std::iter::once(&agent.name).chain(agent.aliases)).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn every_folder_stays_below_its_base() {
        for agent in AGENTS {
            for dir in [agent.project_dir, agent.global_dir] {
                assert!(
                    dir.split('/').all(|part| !part.is_empty() && part != ".." && part != "."),
                    "{}: {dir}",
                    agent.name
                );
            }
        }
    }

    #[test]
    fn an_alias_finds_its_agent() {
        assert_eq!(find("claude"), find("claude-code"));
        assert_eq!(find("nobody"), None);
    }
}
