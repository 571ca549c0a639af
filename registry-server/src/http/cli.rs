//! What the contract has under `/api/cli`. Programs read errors of the device flow as JSON (ClawHub contract 1.2).

pub(super) mod device;
