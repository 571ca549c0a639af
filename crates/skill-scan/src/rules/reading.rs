//! What is known of a file before its lines are read one by one.

use super::orders::Orders;
use crate::comments::Comments;
use crate::file::SourceFile;
use crate::work::Work;

/// A file, and what in it is no command.
pub(super) struct Reading<'f> {
    pub(super) file: &'f SourceFile<'f>,
    pub(super) comments: Comments,
    pub(super) orders: Orders,
}

impl<'f> Reading<'f> {
    pub(super) fn of(file: &'f SourceFile<'_>, work: &mut Work) -> Self {
        let mut comments =
            if file.is_program() { Comments::of(file.language(), file.text()) } else { Comments::default() };
        if !work.take(comments.steps) {
            comments = Comments::default();
        }
        let orders = Orders::of(file, work);
        Self { file, comments, orders }
    }
}
