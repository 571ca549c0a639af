//! skill-trust
