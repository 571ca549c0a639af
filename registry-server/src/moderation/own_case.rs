use jiff::SignedDuration;
use skill_core::name::Owner;

use crate::store::users::User;
use crate::store::{StoreError, Writing, members};

/// So long after acting for a publisher somebody decides nothing about it: nobody steps out for a decision.
const AFTERWARDS: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Whether what is to be decided is about a publisher for which the moderator acts, or did until lately.
pub(crate) async fn is_own_case(
    tx: &mut impl Writing,
    moderator: &User,
    owner: &Owner,
) -> Result<bool, StoreError> {
    let lately = tx.now() - AFTERWARDS;
    members::acted_after(tx.conn(), owner, &moderator.id, lately).await
}
