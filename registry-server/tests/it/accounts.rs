//! What users do about their tokens, publishers and members over HTTP.

mod attenuation;
mod invitations;
mod members;
mod publishers;
mod site;
mod tokens;
