//! skill-scan
