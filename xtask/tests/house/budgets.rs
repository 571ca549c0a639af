//! How long a file and a function may be. A thing over budget hides a missing concept.

use syn::spanned::Spanned as _;
use syn::visit::Visit;

use crate::sources;

const FILE_LINES: usize = 500;
const MEDIAN_LINES: usize = 100;
const FUNCTION_LINES: usize = 80;

/// Files that are tables, not logic.
const TABLES: &[&str] = &[];

#[test]
fn no_file_is_over_budget() {
    let over: Vec<String> = sources::all()
        .iter()
        .filter(|source| !TABLES.contains(&source.path.as_str()))
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > FILE_LINES)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert!(over.is_empty(), "over {FILE_LINES} lines:\n{}", over.join("\n"));
}

#[test]
fn the_median_file_is_short() {
    let mut lines: Vec<usize> =
        sources::all().iter().filter(|source| !source.is_test()).map(sources::Source::code_lines).collect();
    lines.sort_unstable();
    let median = lines[lines.len() / 2];
    assert!(median <= MEDIAN_LINES, "the median of {} files is {median} lines", lines.len());
}

#[test]
fn no_function_is_over_budget() {
    let mut over = Vec::new();
    for source in sources::all().iter().filter(|source| !source.is_test()) {
        let file = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let mut finder = LongFunctions { path: &source.path, over: &mut over };
        finder.visit_file(&file);
    }
    assert!(over.is_empty(), "over {FUNCTION_LINES} lines:\n{}", over.join("\n"));
}

struct LongFunctions<'a> {
    path: &'a str,
    over: &'a mut Vec<String>,
}

impl LongFunctions<'_> {
    fn check(&mut self, name: &syn::Ident, body: &syn::Block) {
        let lines = body.span().end().line - body.span().start().line + 1;
        if lines > FUNCTION_LINES {
            self.over.push(format!("{}: {name}: {lines} lines", self.path));
        }
    }
}

impl<'ast> Visit<'ast> for LongFunctions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.check(&function.sig.ident, &function.block);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.check(&function.sig.ident, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }
}
