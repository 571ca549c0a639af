use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use skill_core::policy::{Answer, Ask, Decision, Layer, Mode, Outcome, Program, Request, Security};

use super::Subject;
use super::ask::{Acknowledge, Person};
use super::command::Checked;
use super::notice;
use super::process::{self, Limits};
use super::rules::{Held, LayerRules};
use super::unanswered::Unanswered;
use crate::code::Code;
use crate::config::Config;
use crate::context::{Context, Environment};
use crate::failure::Failure;
use crate::registry::Pins;
use crate::report::Message;

/// What has to let a skill in: the rules of every layer, and the programs of the system and the user.
#[derive(Debug)]
pub struct Gate {
    rules: Vec<LayerRules>,
    programs: Vec<ProgramAt>,
    env: Environment,
    home: Option<PathBuf>,
    now: Timestamp,
}

/// A program, and the file that names it.
#[derive(Debug, Clone)]
pub struct ProgramAt {
    /// Whose file.
    pub layer: Layer,
    /// The file, as text shows it.
    pub file: String,
    /// What it says.
    pub program: Program,
    /// Whose programs are started for this file beside root's: the user's own for the user's, by number.
    pub owner: u32,
}

/// What the programs said about a skill that may come in.
#[derive(Debug, Default)]
pub struct Allowed {
    /// What is worth reading.
    pub warnings: Vec<Message>,
    /// How many warnings a person took.
    pub acknowledged: usize,
}

impl Gate {
    /// Reads the layers.
    ///
    /// # Errors
    /// `policy-config` for whatever cannot be used, `policy-project-program`: nothing is installed.
    pub fn load(context: &Context, config: &Config) -> Result<Self, Failure> {
        let pins = Pins::below(&context.dirs.state);
        let mut gate = Self {
            rules: Vec::new(),
            programs: Vec::new(),
            env: context.env().clone(),
            home: context.world.home.clone(),
            now: context.now(),
        };
        for (layer, file, security) in config.security(context)? {
            let Security { program, rules } = security;
            match program {
                Some(_) if layer == Layer::Project => return Err(project_program(&file)),
                Some(program) => {
                    let owner = owner_of(context, layer);
                    gate.programs.push(ProgramAt { layer, file: file.clone(), program, owner });
                }
                None => {}
            }
            if !rules.is_empty() {
                gate.rules.push(LayerRules::of(layer, file, rules, config, &pins)?);
            }
        }
        Ok(gate)
    }

    /// The programs that are asked about skills, the system's first.
    pub fn programs(&self) -> impl Iterator<Item = &ProgramAt> {
        self.programs.iter().filter(|at| at.program.enabled && at.program.asks_about_skills)
    }

    /// How old a release has to be, in seconds: the highest that a layer asks for.
    pub fn least_age(&self) -> i64 {
        let ages = self.rules.iter().filter_map(|rules| rules.rules.min_release_age.as_ref());
        ages.map(|age| age.seconds).max().unwrap_or_default()
    }

    /// The programs that are named and not asked, the system's first.
    pub fn silent(&self) -> impl Iterator<Item = &ProgramAt> {
        self.programs.iter().filter(|at| !(at.program.enabled && at.program.asks_about_skills))
    }

    /// The lines of every layer: layer, file, how many rules.
    pub fn layers(&self) -> impl Iterator<Item = (Layer, &str, &skill_core::policy::Rules)> {
        self.rules.iter().map(|rules| (rules.layer, rules.file.as_str(), &rules.rules))
    }

    /// What every rule of every layer says, the system's first.
    pub fn rulings(&self, subject: &Subject) -> Vec<Held> {
        self.rules.iter().flat_map(|rules| rules.judge(subject, self.now)).collect()
    }

    /// The rules that keep a skill out, as one failure.
    pub fn refused_by_rules(&self, subject: &Subject) -> Option<Failure> {
        let refused = self.rulings(subject).into_iter().filter_map(|held| match &held.ruling.outcome {
            Outcome::Refuse(why) => Some(notice::refused_by_rule(subject, &held, &why.clone())),
            Outcome::Pass(_) | Outcome::Apart(_) => None,
        });
        Failure::gravest(refused.collect())
    }

    /// Asks every program about a staged skill. Each has to allow it, or warn and be acknowledged.
    ///
    /// # Errors
    /// `policy-blocked`, `policy-failed-closed`, `policy-unacknowledged`, `policy-declined`,
    /// `policy-warning-changed`: exit 5.
    pub async fn judge(
        &self,
        subject: &Subject,
        staged: &Path,
        mode: Mode,
        person: &mut impl Acknowledge,
        tell: &dyn Fn(&Message),
    ) -> Result<Allowed, Failure> {
        let mut allowed = Allowed::default();
        for at in self.programs() {
            let answer = self.answer(at, subject, staged, mode).await?;
            let answer = match answer.decision {
                Decision::Allow => answer,
                Decision::Block => return Err(notice::blocked(subject, at, &answer)),
                Decision::Warn => {
                    acknowledge(subject, &answer, mode, person, tell).await?;
                    allowed.acknowledged += 1;
                    self.again(at, subject, staged, mode, &answer).await?
                }
            };
            allowed.warnings.extend(notice::allowed_with(subject, &answer));
        }
        Ok(allowed)
    }

    /// Asks once more after a warning was taken: it counts for that warning only.
    async fn again(
        &self,
        at: &ProgramAt,
        subject: &Subject,
        staged: &Path,
        mode: Mode,
        approved: &Answer,
    ) -> Result<Answer, Failure> {
        let second = self.answer(at, subject, staged, mode).await?;
        match second.decision {
            Decision::Allow => Ok(second),
            Decision::Warn if second.fingerprint() == approved.fingerprint() => Ok(second),
            Decision::Warn => Err(notice::changed(subject, &second)),
            Decision::Block => Err(notice::blocked(subject, at, &second)),
        }
    }

    async fn answer(
        &self,
        at: &ProgramAt,
        subject: &Subject,
        staged: &Path,
        mode: Mode,
    ) -> Result<Answer, Failure> {
        let answer = self.ask(at, subject, staged, mode).await;
        answer.map_err(|why| notice::not_let_in(subject, at, &why))
    }

    /// Asks one program.
    ///
    /// # Errors
    /// Whatever is not an answer.
    pub async fn ask(
        &self,
        at: &ProgramAt,
        subject: &Subject,
        staged: &Path,
        mode: Mode,
    ) -> Result<Answer, Unanswered> {
        let program = &at.program;
        let checked = Checked::of(program, self.home.as_deref(), at.owner)?;
        let path = staged.to_str().ok_or(Unanswered::Path)?;
        let request = Request::new(
            env!("CARGO_PKG_VERSION"),
            &subject.local,
            path,
            subject.source,
            subject.origin.clone(),
            Ask::new(mode, subject.specifier.clone()),
            subject.skill.clone(),
        );
        let input = request.to_bytes().ok_or(Unanswered::Large)?;
        let limits = Limits {
            wall_ms: program.timeout_ms,
            silence_ms: program.no_output_timeout_ms,
            output_bytes: program.max_output_bytes,
        };
        let env = self.environment(program);
        let stdout = process::run(&checked, &program.args, &env, &input, limits).await?;
        Ok(Answer::parse(&stdout, &subject.title)?)
    }

    /// What a program sees of the environment: what `pass_env` names and is set, then `env`.
    fn environment(&self, program: &Program) -> Vec<(OsString, OsString)> {
        let mut env = BTreeMap::from([("OPENCLAW_CLI".into(), "1".into())]);
        for name in &program.pass_env {
            if let Some(value) = self.env.raw(name) {
                env.insert(OsString::from(name), value.to_owned());
            }
        }
        for (name, value) in &program.env {
            env.insert(name.into(), value.into());
        }
        env.into_iter().collect()
    }

    /// Looks at every program that would be asked, without starting it.
    pub fn inspect(&self) -> Vec<(&ProgramAt, Result<Checked, Unanswered>)> {
        let home = self.home.as_deref();
        self.programs()
            .map(|at| {
                let checked = Checked::of(&at.program, home, at.owner).map_err(Unanswered::from);
                (at, checked)
            })
            .collect()
    }
}

/// The system's file binds the user as well, who therefore may not own what it names.
fn owner_of(context: &Context, layer: Layer) -> u32 {
    match layer {
        Layer::System => context.world.system_owner,
        _ => rustix::process::geteuid().as_raw(),
    }
}

impl ProgramAt {
    /// What sentences call it.
    pub fn name(&self) -> &str {
        self.program.command.as_deref().unwrap_or("no command")
    }

    /// `policy-failed-closed`, for commands that look at the program itself.
    pub fn failed_closed(&self, why: &Unanswered) -> Failure {
        let file = &self.file;
        notice::failed_closed(self, why).hint(match why {
            Unanswered::Flaw(_) => format!("mend it in {file}, or ask whoever looks after that file"),
            _ => format!("mend the program, or ask whoever looks after {file}"),
        })
    }

    /// Whom it binds.
    pub(super) fn binds(&self) -> String {
        let whom = match self.layer {
            Layer::System => "binds all users",
            _ => "binds every install of this user",
        };
        format!("[security.install_policy] in {} {whom}", self.file)
    }
}

async fn acknowledge(
    subject: &Subject,
    answer: &Answer,
    mode: Mode,
    person: &mut impl Acknowledge,
    tell: &dyn Fn(&Message),
) -> Result<(), Failure> {
    match person.person() {
        Person::Nobody => Err(notice::unacknowledged(subject, answer)),
        Person::Flag => {
            tell(&notice::warning(subject, answer));
            Ok(())
        }
        Person::Terminal => {
            tell(&notice::warning(subject, answer));
            let verb = if mode == Mode::Update { "update" } else { "install" };
            let question = format!("Type the name of the skill to {verb} it anyway: ");
            match person.typed(&question).await {
                Some(typed) if typed == subject.local => Ok(()),
                _ => Err(notice::declined(subject, answer)),
            }
        }
    }
}

fn project_program(file: &str) -> Failure {
    Failure::new(Code::PolicyProjectProgram, format!("{file} names an install policy program"))
        .because("a project comes with files from elsewhere; nothing of it was run")
        .nothing_changed()
        .hint("move [security.install_policy] to the user's or the system's file")
}
