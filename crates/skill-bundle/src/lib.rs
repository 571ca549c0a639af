//! skill-bundle
