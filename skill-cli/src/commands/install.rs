use std::collections::BTreeSet;

use skill_core::name::{NameError, Slug};
use skill_core::requirement::Requirement;

use crate::code::Code;
use crate::config::Config;
use crate::context::Context;
use crate::failure::Failure;
use crate::install::{self, AcceptanceError, Desk, Options, Request, Wish};
use crate::report::{Message, Report};
use crate::workdir;

/// Install skills, or restore what skills.lock names
///
/// Without REF: everything in skills.toml, at the versions in skills.lock.
/// All or nothing: if one skill is refused, none is installed.
///
/// REF is one of
///   github, acme/github          a skill in the registry, latest release
///   acme/github@^3               the highest release within a requirement
///   ./dir, skill.zip             a folder or an archive
///   git:URL[@REF][//PATH]        a git repository
///   github:OWNER/REPO[/PATH]     a repository on GitHub
///   https://...                  a page, an archive or a repository
#[derive(Debug, clap::Args)]
#[allow(rustdoc::broken_intra_doc_links, reason = "a help text: brackets hold what may be left out")]
#[command(
    verbatim_doc_comment,
    after_long_help = "Examples:
  skill install acme/github@^3 --agent claude-code
  skill install --frozen --offline"
)]
pub struct Args {
    /// What to install
    #[arg(value_name = "REF")]
    pub refs: Vec<String>,
    /// Requirement, for shells that eat ^ and >
    #[arg(long, value_name = "REQ", help_heading = "Which release")]
    pub req: Option<String>,
    /// Branch, tag or commit of a git source
    #[arg(long = "ref", value_name = "REF", help_heading = "Which release")]
    pub git_ref: Option<String>,
    /// Folder inside the source
    #[arg(long, value_name = "PATH", help_heading = "Which release")]
    pub path: Option<String>,
    /// Install exactly skills.lock; change no lock
    #[arg(long, help_heading = "Which release")]
    pub frozen: bool,
    /// Local name [default: the slug]
    #[arg(long = "as", value_name = "NAME", help_heading = "Where")]
    pub local_name: Option<String>,
    /// Where that agent looks (can be repeated)
    #[arg(long, value_name = "NAME", help_heading = "Where")]
    pub agent: Vec<String>,
    /// Into the managed folder of this user
    #[arg(long, help_heading = "Where", hide = true)]
    pub managed: bool,
    /// Link a folder instead of copying it
    #[arg(long, help_heading = "Where", hide = true)]
    pub link: bool,
    /// Take a suspicious skill with these findings
    #[arg(long, value_name = "NAME[@VERSION]", help_heading = "What is allowed")]
    pub accept: Vec<String>,
    /// Go on after every policy warning of this command
    #[arg(long, help_heading = "What is allowed")]
    pub acknowledge_install_policy_warning: bool,
    /// Replace a changed copy; it goes to .skill/backup/
    #[arg(long, help_heading = "What is allowed")]
    pub force: bool,
    /// Show the plan and stop
    #[arg(long)]
    pub dry_run: bool,
}

/// Installs what is asked for, or everything that skills.toml and skills.lock name.
///
/// # Errors
/// The codes of every exit: nothing was changed then.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    refuse_unbuilt(args)?;
    Config::may_hold_policy(context)?;
    let request = request(context, args)?;
    let workdir = workdir::locate(context)?;
    let mut targets = BTreeSet::new();
    for agent in &args.agent {
        targets.insert(install::agent_target(&workdir, agent)?);
    }
    let accepted = args.accept.iter().map(|text| {
        text.parse().map_err(|error: AcceptanceError| {
            Failure::usage(error.to_string()).hint(match error {
                AcceptanceError::Source(_) => "write it as `--accept NAME`, as the plan calls it",
                AcceptanceError::Name(_) => "write it as `--accept OWNER/SLUG@VERSION`",
            })
        })
    });
    let options = Options {
        frozen: args.frozen,
        force: args.force,
        dry_run: args.dry_run,
        acknowledge: args.acknowledge_install_policy_warning,
        targets,
        accepted: accepted.collect::<Result<_, _>>()?,
        ..Options::default()
    };
    let desk = Desk::open(context, &workdir, options)?;
    install::install(&desk, request).await
}

fn request(context: &Context, args: &Args) -> Result<Request, Failure> {
    let alone = |flag: &str| {
        if args.refs.len() == 1 {
            Ok(())
        } else {
            Err(Failure::usage(format!("{flag} goes with exactly one REF")))
        }
    };
    let mut wishes = Vec::with_capacity(args.refs.len());
    for text in &args.refs {
        wishes.push(Wish::parse(context, text)?);
    }
    if let Some(name) = &args.local_name {
        alone("--as")?;
        let name: Slug = name.parse().map_err(|error: NameError| Failure::usage(error.to_string()))?;
        for wish in &mut wishes {
            wish.local = Some(name.clone());
        }
    }
    if args.git_ref.is_some() || args.path.is_some() {
        alone(if args.path.is_some() { "--path" } else { "--ref" })?;
        for wish in &mut wishes {
            wish.place(args.git_ref.as_deref(), args.path.as_deref())?;
        }
    }
    if let Some(text) = &args.req {
        alone("--req")?;
        let (requirement, warning) = Requirement::parse(text).map_err(|error| {
            Failure::new(Code::named(error.code()).unwrap_or(Code::RequirementUnreadable), error.to_string())
        })?;
        if let Some(warning) = warning {
            context.screen.tell(&Message::warning(Code::RequirementV, warning.to_string()));
        }
        for wish in &mut wishes {
            wish.require(requirement.clone())?;
        }
    }
    Ok(if wishes.is_empty() { Request::All } else { Request::These(wishes) })
}

/// What is read already and comes with a later build.
fn refuse_unbuilt(args: &Args) -> Result<(), Failure> {
    let asked = [(args.managed, "--managed"), (args.link, "--link")];
    match asked.into_iter().find(|(asked, _)| *asked) {
        Some((_, flag)) => {
            Err(Failure::new(Code::NotBuilt, format!("{flag} is not in this build")).nothing_changed())
        }
        None => Ok(()),
    }
}
