use axum::Json;
use axum::extract::State;
use skill_core::api::WellKnown;

use crate::app::App;

/// Says what this registry is: its id, its newest root, who may read, what it takes.
///
/// Answers without a token on private registries too: the id is compared before a token is sent.
#[utoipa::path(
    get,
    path = "/.well-known/skill-registry.json",
    tag = "registry",
    responses((status = 200, content_type = "application/json", description = "`skill.registry.v1`")),
)]
pub(crate) async fn well_known(State(app): State<App>) -> Json<WellKnown> {
    Json(WellKnown {
        schema: "skill.registry.v1".to_owned(),
        registry_id: app.registry_id(),
        root_version: app.root().version(),
        public_url: app.base_url(),
        access: app.config().access.read,
        limits: app.publishing().limits,
    })
}
