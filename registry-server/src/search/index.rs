//! The full-text index itself: what is in it and how it answers.

use std::sync::{Mutex, PoisonError};

use skill_core::name::SkillName;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _,
};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

use super::words;

/// Bytes that collect in memory before a part of the index is written; the least that the engine takes.
const WRITER_BYTES: usize = 15_000_000;

/// What stands in the field of suspicious skills.
const MARK: &str = "1";

/// What is known of one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Id of the skill.
    pub id: String,
    /// Whose skill it is, and what it is called.
    pub name: SkillName,
    /// Name for people.
    pub display_name: String,
    /// One paragraph.
    pub summary: String,
    /// `SKILL.md`, or as much of it as is worth searching.
    pub body: String,
    /// Whether installing needs acceptance.
    pub suspicious: bool,
    /// What a search answers about it, given back as it is.
    pub card: Vec<u8>,
}

/// One change of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The skill is to be found, with this text.
    Put(Box<Document>),
    /// The skill with this id is no longer to be found.
    Remove(String),
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Id of the skill.
    pub id: String,
    /// How well it fits; only comparable within one search.
    pub score: f32,
    /// [`Document::card`].
    pub card: Vec<u8>,
}

/// Why the index did not answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The engine refused.
    #[error("search index: {0}")]
    Engine(#[from] tantivy::TantivyError),
}

struct Fields {
    id: Field,
    slug: Field,
    name: Field,
    summary: Field,
    body: Field,
    /// Beginnings of the words of its names: what somebody types who looks for it.
    named: Field,
    beginning: Field,
    suspicious: Field,
    card: Field,
}

/// A full-text index over skills, in memory.
///
/// It is a projection: it can be made anew from the database at any time, so nothing of it is
/// kept on disk.
pub struct SearchIndex {
    fields: Fields,
    reader: IndexReader,
    writer: Mutex<IndexWriter>,
}

impl std::fmt::Debug for SearchIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchIndex")
            .field("skills", &self.reader.searcher().num_docs())
            .finish_non_exhaustive()
    }
}

impl SearchIndex {
    /// An empty index.
    pub fn new() -> Result<Self, SearchError> {
        let tokenizers = TokenizerManager::default();
        tokenizers.register("words", TextAnalyzer::from(words::Words));
        tokenizers.register("beginnings", TextAnalyzer::from(words::Beginnings));
        let (schema, fields) = schema();
        let index = Index::builder().schema(schema).tokenizers(tokenizers).create_in_ram()?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let writer = Mutex::new(index.writer_with_num_threads(1, WRITER_BYTES)?);
        Ok(Self { fields, reader, writer })
    }

    /// Makes `changes`, all at once for whoever searches. Blocks; milliseconds for a few.
    pub fn apply(&self, changes: impl IntoIterator<Item = Change>) -> Result<(), SearchError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        for change in changes {
            let id = match &change {
                Change::Put(document) => &document.id,
                Change::Remove(id) => id,
            };
            writer.delete_term(Term::from_field_text(self.fields.id, id));
            if let Change::Put(document) = change {
                writer.add_document(self.document(*document))?;
            }
        }
        writer.commit()?;
        self.reader.reload()?;
        Ok(())
    }

    /// The best `limit` answers to `question`, best first. Every word of the question must occur in
    /// an answer, or begin a word of its names and summary.
    pub fn find(
        &self,
        question: &str,
        limit: usize,
        without_suspicious: bool,
    ) -> Result<Vec<Hit>, SearchError> {
        let words = words::of_question(question);
        if words.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let searcher = self.reader.searcher();
        let query = self.query(&words, without_suspicious);
        let found = searcher.search(&*query, &TopDocs::with_limit(limit).order_by_score())?;
        let mut hits = Vec::with_capacity(found.len());
        for (score, address) in found {
            let document: TantivyDocument = searcher.doc(address)?;
            let id = document.get_first(self.fields.id).and_then(|value| value.as_str());
            let card = document.get_first(self.fields.card).and_then(|value| value.as_bytes());
            if let (Some(id), Some(card)) = (id, card) {
                hits.push(Hit { id: id.to_owned(), score, card: card.to_vec() });
            }
        }
        Ok(hits)
    }

    fn query(&self, words: &[String], without_suspicious: bool) -> Box<dyn Query> {
        // One word is asked as one flat union: the engine then skips whole blocks of documents that
        // cannot reach the best answers.
        if let ([word], false) = (words, without_suspicious) {
            return Box::new(BooleanQuery::from(self.places(word)));
        }
        let mut every: Vec<_> = words
            .iter()
            .map(|word| {
                let one: Box<dyn Query> = Box::new(BooleanQuery::from(self.places(word)));
                (Occur::Must, one)
            })
            .collect();
        if without_suspicious {
            let marked = Term::from_field_text(self.fields.suspicious, MARK);
            let marked: Box<dyn Query> = Box::new(TermQuery::new(marked, IndexRecordOption::Basic));
            every.push((Occur::MustNot, marked));
        }
        Box::new(BooleanQuery::from(every))
    }

    /// The places where a word may stand, the weightiest first: slug, name, the beginning of one of them, summary, body.
    fn places(&self, word: &str) -> Vec<(Occur, Box<dyn Query>)> {
        let Fields { slug, name, summary, body, named, beginning, .. } = self.fields;
        [(slug, 8.0), (name, 4.0), (named, 3.0), (summary, 2.0), (body, 1.0), (beginning, 0.5)]
            .into_iter()
            .map(|(field, weight)| {
                let term = TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs);
                let boosted: Box<dyn Query> = Box::new(BoostQuery::new(Box::new(term), weight));
                (Occur::Should, boosted)
            })
            .collect()
    }

    fn document(&self, document: Document) -> TantivyDocument {
        let Document { id, name, display_name, summary, body, suspicious, card } = document;
        let mut fields = TantivyDocument::default();
        fields.add_text(self.fields.id, id);
        if suspicious {
            fields.add_text(self.fields.suspicious, MARK);
        }
        fields.add_text(self.fields.slug, name.slug.as_str());
        fields.add_text(self.fields.name, &display_name);
        fields.add_text(self.fields.name, name.owner.as_str());
        fields.add_text(self.fields.summary, &summary);
        fields.add_text(self.fields.body, body);
        fields.add_text(self.fields.named, format!("{} {display_name}", name.slug));
        fields.add_text(self.fields.beginning, format!("{name} {display_name} {summary}"));
        fields.add_bytes(self.fields.card, &card);
        fields
    }
}

fn schema() -> (Schema, Fields) {
    // With frequencies everywhere, also where they say little: only then can blocks be skipped.
    let text = |tokenizer| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(IndexRecordOption::WithFreqs);
        TextOptions::default().set_indexing_options(indexing)
    };
    let mut schema = Schema::builder();
    let fields = Fields {
        id: schema.add_text_field("id", STRING | STORED),
        slug: schema.add_text_field("slug", text("words")),
        name: schema.add_text_field("name", text("words")),
        summary: schema.add_text_field("summary", text("words")),
        body: schema.add_text_field("body", text("words")),
        named: schema.add_text_field("named", text("beginnings")),
        beginning: schema.add_text_field("beginning", text("beginnings")),
        suspicious: schema.add_text_field("suspicious", STRING),
        card: schema.add_bytes_field("card", STORED),
    };
    (schema.build(), fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(name: &str, display_name: &str, summary: &str, body: &str) -> Change {
        let name: SkillName = name.parse().unwrap();
        Change::Put(Box::new(Document {
            id: name.to_string(),
            card: name.to_string().into_bytes(),
            suspicious: body.contains("suspicious"),
            name,
            display_name: display_name.to_owned(),
            summary: summary.to_owned(),
            body: body.to_owned(),
        }))
    }

    fn names(index: &SearchIndex, question: &str) -> Vec<String> {
        let hits = index.find(question, 10, false).unwrap();
        assert!(hits.iter().all(|hit| hit.card == hit.id.as_bytes()));
        hits.into_iter().map(|hit| hit.id).collect()
    }

    fn sample() -> SearchIndex {
        let index = SearchIndex::new().unwrap();
        index
            .apply([
                put("acme/github", "GitHub", "Work with pull requests", "Use the gh tool"),
                put("acme/weather", "天气", "查询天气预报", "写一份天气简报"),
                put("bob/notes", "Notes", "Release notes from GitHub history", "Reads tags"),
                put("bob/review", "Review", "Reads code", "Mentions github once"),
            ])
            .unwrap();
        index
    }

    #[test]
    fn slug_before_summary_before_body() {
        assert_eq!(names(&sample(), "github"), ["acme/github", "bob/notes", "bob/review"]);
    }

    /// As one types, what a skill is called comes before what others say of it, however short they say it.
    #[test]
    fn the_beginning_of_a_name_before_that_of_a_mention() {
        let index = sample();
        let mentions = (0..8).map(|n| put(&format!("eve/a{n}"), "A", "github", "github github githubs"));
        index.apply(mentions).unwrap();
        for typed in ["gi", "gith", "githu"] {
            assert_eq!(names(&index, typed)[0], "acme/github", "{typed}");
        }
    }

    #[test]
    fn every_word_must_occur_or_begin_one() {
        let index = sample();
        assert_eq!(names(&index, "release github"), ["bob/notes"]);
        assert_eq!(names(&index, "pull req"), ["acme/github"]);
        assert_eq!(names(&index, "gith"), ["acme/github", "bob/notes"]);
        assert!(names(&index, "github kubernetes").is_empty());
        assert!(names(&index, "!?").is_empty());
    }

    #[test]
    fn suspicious_skills_can_be_left_out() {
        let index = sample();
        index.apply([put("eve/github", "GitHub", "Free pull requests", "suspicious")]).unwrap();
        assert_eq!(names(&index, "pull").len(), 2);
        let hits = index.find("pull", 10, true).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>(), ["acme/github"]);
    }

    #[test]
    fn chinese_without_spaces() {
        let index = sample();
        for question in ["天气", "预报", "天气预报", "气", "天气简报"] {
            assert_eq!(names(&index, question), ["acme/weather"], "{question}");
        }
        assert!(names(&index, "天文").is_empty());
    }

    #[test]
    fn a_change_replaces_and_a_removal_removes() {
        let index = sample();
        index
            .apply([
                put("acme/github", "GitHub", "Something else", ""),
                Change::Remove("bob/review".to_owned()),
            ])
            .unwrap();
        assert_eq!(names(&index, "github"), ["acme/github", "bob/notes"]);
        assert!(names(&index, "pull").is_empty());
    }
}
