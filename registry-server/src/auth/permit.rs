use skill_core::api::Access;
use skill_core::name::{Owner, SkillName};

use super::{Act, Binding, Caller, Identity, On, Who, login};
use crate::problem::ApiError;
use crate::store::Writing;
use crate::store::audit::{Actor, NewAudit};
use crate::store::users::User;

/// Proof that an act was allowed to a user. [`Caller::permit`] alone makes one, and whatever changes something asks for
/// one: about what it is, is read from it and nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    act: Act,
    on: On,
    identity: Identity,
}

impl Caller {
    /// Decides whether this caller may.
    pub fn permit(&self, act: Act, on: On) -> Result<Permit, ApiError> {
        let identity = self.identity()?;
        identity.may(act, &on)?;
        Ok(Permit { act, on, identity: identity.clone() })
    }

    /// Whether this caller may read at all.
    pub fn may_read(&self, access: Access) -> Result<(), ApiError> {
        match (access, self) {
            // What nobody has to show a token for, one made for something else is good for too.
            (Access::Public, _) => Ok(()),
            (Access::Token, _) => self.identity()?.may(Act::Read, &On::Nothing),
        }
    }
}

impl Identity {
    /// Whether this user may with this token or in this session. Whoever may not is not asked first who they are.
    pub(super) fn may(&self, act: Act, on: &On) -> Result<(), ApiError> {
        self.is_given(act, on)?;
        if act.is_grave() && !self.is_sure {
            return Err(ApiError::ConfirmationNeeded);
        }
        Ok(())
    }

    /// The table of [`Act::needs`]. A role counts as it is now, whatever the token was made with.
    fn is_given(&self, act: Act, on: &On) -> Result<(), ApiError> {
        let needs = act.needs();
        if let Some(scope) = needs.scope {
            self.needs(scope)?;
        }
        self.is_unbound_for(needs.token, on)?;
        match needs.who {
            Who::Anybody | Who::Reader | Who::SignedIn => Ok(()),
            Who::Site(role) if self.user.role >= role => Ok(()),
            Who::Site(needs) => Err(ApiError::SiteRoleMissing { needs }),
            Who::Member(role) => match on {
                On::Later => Ok(()),
                On::Publisher(owner) | On::Skill(SkillName { owner, .. }) => match self.role_in(owner) {
                    Some(has) if has >= role => Ok(()),
                    Some(_) => Err(ApiError::RoleMissing { needs: role, owner: owner.clone() }),
                    None => Err(ApiError::NotMember { owner: owner.clone() }),
                },
                On::Nothing => Err(ApiError::internal(format!("{act:?} is about nothing"))),
            },
        }
    }

    fn is_unbound_for(&self, binding: Binding, on: &On) -> Result<(), ApiError> {
        let skill = self.only_skill.as_ref();
        let bound =
            skill.map(ToString::to_string).or_else(|| self.only_publisher.as_ref().map(Owner::to_string));
        let Some(to) = bound else { return Ok(()) };
        let publisher = |owner: &Owner| self.only_publisher.as_ref().is_none_or(|only| only == owner);
        let good = match (binding, on) {
            (Binding::Any, _) | (Binding::Own, On::Nothing | On::Later) => true,
            (Binding::Unbound, _) => false,
            (Binding::Own, On::Publisher(owner)) => skill.is_none() && publisher(owner),
            (Binding::Own, On::Skill(name)) => {
                skill.is_none_or(|only| only == name) && publisher(&name.owner)
            }
        };
        if good { Ok(()) } else { Err(ApiError::TokenRestricted { to }) }
    }
}

impl Permit {
    /// Who was allowed.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Decides again, by what is true in the transaction that does it: while a body was on its way its token may have
    /// been revoked, a session have ended, or its user have lost the role.
    pub async fn confirm(&self, tx: &mut impl Writing) -> Result<(), ApiError> {
        let now = tx.now();
        login::issued(tx.conn(), &self.identity.by, now).await?.may(self.act, &self.on)
    }

    /// The same act on what is known only now. It is decided again.
    pub fn narrow(&self, on: On) -> Result<Self, ApiError> {
        self.identity.may(self.act, &on)?;
        Ok(Self { act: self.act, on, identity: self.identity.clone() })
    }

    /// Another act on the same: it is decided, too.
    pub fn also(&self, act: Act) -> Result<Self, ApiError> {
        self.identity.may(act, &self.on)?;
        Ok(Self { act, on: self.on.clone(), identity: self.identity.clone() })
    }

    /// The publisher that one of `acts` was allowed on. Any other permit is a mistake of this program.
    pub fn publisher(&self, acts: &[Act]) -> Result<&Owner, ApiError> {
        match &self.on {
            On::Publisher(owner) if acts.contains(&self.act) => Ok(owner),
            on => {
                Err(ApiError::internal(format!("{acts:?} asked with a permit for {:?} on {on:?}", self.act)))
            }
        }
    }

    /// The skill that one of `acts` was allowed on. Any other permit is a mistake of this program.
    pub fn skill(&self, acts: &[Act]) -> Result<&SkillName, ApiError> {
        match &self.on {
            On::Skill(name) if acts.contains(&self.act) => Ok(name),
            on => {
                Err(ApiError::internal(format!("{acts:?} asked with a permit for {:?} on {on:?}", self.act)))
            }
        }
    }

    /// The user to whom one of `acts` was allowed, whatever it is about. Any other permit is a mistake of this program.
    pub fn user(&self, acts: &[Act]) -> Result<&User, ApiError> {
        Ok(&self.person(acts)?.user)
    }

    /// Who may do one of `acts`, which are about nothing but themselves. Any other permit is a mistake of this program.
    pub fn person(&self, acts: &[Act]) -> Result<&Identity, ApiError> {
        if acts.contains(&self.act) {
            return Ok(&self.identity);
        }
        Err(ApiError::internal(format!("{acts:?} asked with a permit for {:?}", self.act)))
    }

    /// The row of the audit log for what is done with it.
    pub fn audit(&self, action: &'static str, subject: String) -> NewAudit {
        let by =
            Actor { name: self.identity.user.name.to_string(), credential: Some(self.identity.by.clone()) };
        NewAudit::new(by, action, subject)
    }
}
