use super::ApiError;
use crate::entropy::EntropyError;
use crate::store::StoreError;

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::ReadOnly,
            StoreError::Busy(source) => {
                tracing::warn!(error = %source, "the database is busy");
                Self::Busy
            }
            other => Self::internal(other),
        }
    }
}

impl From<EntropyError> for ApiError {
    fn from(error: EntropyError) -> Self {
        Self::internal(error)
    }
}
