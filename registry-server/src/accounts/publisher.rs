use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::{Owner, owner_is_reserved};

use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::StoreError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::grants::{self, GrantKind};
use crate::store::publishers::{self, MemberRole, Publisher, PublisherKind};
use crate::store::users;

/// The most bytes of a name for people.
const NAME_BYTES: usize = 200;
/// From as many on a user makes no further one: each request of the user reads them all, and a handle is never given
/// twice.
const PUBLISHERS: usize = 100;

/// Why a publisher was not made.
#[derive(Debug, thiserror::Error)]
pub enum CreatePublisherError {
    /// A route or a reserved handle.
    #[error("the handle {handle} is reserved")]
    Reserved {
        /// The handle.
        handle: Owner,
    },
    /// A user or a publisher has it, or had it.
    #[error("the handle {handle} is taken")]
    Taken {
        /// The handle.
        handle: Owner,
    },
    /// The name for people says too much.
    #[error("the display name has {bytes} bytes, at most {most} are kept")]
    NameLong {
        /// Its length.
        bytes: usize,
        /// The most.
        most: usize,
    },
    /// The user acts for enough publishers.
    #[error("this account acts for {has} publishers, and makes no more from {most} on")]
    Many {
        /// How many.
        has: usize,
        /// From how many on none is made.
        most: usize,
    },
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes an organisation, whose owner is whoever asks. Without a display name it goes by its handle.
pub async fn create_publisher(
    app: &App,
    permit: &Permit,
    handle: Owner,
    display_name: &str,
) -> Result<Publisher, CreatePublisherError> {
    let user = &permit.person(&[Act::MakePublisher])?.user;
    let (display_name, most) = (display_name.trim(), NAME_BYTES);
    if display_name.len() > most {
        return Err(CreatePublisherError::NameLong { bytes: display_name.len(), most });
    }
    let mut tx = app.db().write().await?;
    // What a user makes is counted by one at a time.
    users::lock(tx.conn(), &user.id).await?;
    permit.confirm(&mut tx).await?;
    let has = publishers::of_user(tx.conn(), &user.id).await?.len();
    if has >= PUBLISHERS {
        return Err(CreatePublisherError::Many { has, most: PUBLISHERS });
    }
    let is_granted = grants::exists(tx.conn(), GrantKind::Owner, handle.as_str(), &user.name).await?;
    if owner_is_reserved(handle.as_str()) && !is_granted {
        return Err(CreatePublisherError::Reserved { handle });
    }
    let publisher = Publisher {
        kind: PublisherKind::Org,
        user_id: None,
        display_name: if display_name.is_empty() { handle.to_string() } else { display_name.to_owned() },
        created_at: tx.now(),
        handle,
    };
    if !publishers::insert(tx.conn(), &publisher).await? {
        return Err(CreatePublisherError::Taken { handle: publisher.handle });
    }
    let handle = &publisher.handle;
    publishers::set_member(tx.conn(), handle, &user.id, MemberRole::Owner, publisher.created_at).await?;
    let change = permit.audit("publisher.create", handle.to_string());
    tx.audit(change.with(json!({ "displayName": publisher.display_name })));
    let committed = tx.commit(NewEvent::of_publisher(EventKind::PublisherChanged, handle.clone())).await?;
    app.pulse().observe(committed.event);
    Ok(publisher)
}

impl From<CreatePublisherError> for ApiError {
    fn from(error: CreatePublisherError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            CreatePublisherError::Access(error) => return error,
            CreatePublisherError::Store(error) => return error.into(),
            CreatePublisherError::Reserved { ref handle } => {
                answer(StatusCode::CONFLICT, "owner-reserved").with("owner", handle.as_str())
            }
            CreatePublisherError::Taken { ref handle } => {
                answer(StatusCode::CONFLICT, "owner-taken").with("owner", handle.as_str())
            }
            CreatePublisherError::Many { most, .. } => {
                answer(StatusCode::CONFLICT, "publishers-many").with("limit", most)
            }
            CreatePublisherError::NameLong { most, .. } => {
                answer(StatusCode::UNPROCESSABLE_ENTITY, "display-name-long").with("limit", most)
            }
        }))
    }
}
