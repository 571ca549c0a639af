//! skill-runtime
