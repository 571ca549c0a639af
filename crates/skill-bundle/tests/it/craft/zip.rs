/// The fields that both headers of an entry have.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) needed: u16,
    pub(crate) name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc: u32,
    pub(crate) packed: u32,
    pub(crate) size: u32,
    pub(crate) extra: Vec<u8>,
}

impl Header {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.needed, self.flags, self.method, 0, 33] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [self.crc, self.packed, self.size] {
            bytes.extend(number.to_le_bytes());
        }
        for length in [self.name.len(), self.extra.len()] {
            bytes.extend((length as u16).to_le_bytes());
        }
        bytes
    }
}

/// One entry; change what is to lie.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) local: Header,
    pub(crate) listed: Header,
    pub(crate) data: Vec<u8>,
    pub(crate) descriptor: Vec<u8>,
    /// High byte: the system that made it.
    pub(crate) made_by: u16,
    pub(crate) attributes: u32,
    pub(crate) disk: u16,
    pub(crate) internal: u16,
    /// Instead of where it is.
    pub(crate) offset: Option<u32>,
    /// In the list alone.
    pub(crate) listed_only: bool,
}

impl Entry {
    /// Any name, any bytes, stored (0) or deflated (8).
    pub(crate) fn of(name: &[u8], content: &[u8], method: u16) -> Self {
        let data = if method == 8 { super::deflated(content) } else { content.to_vec() };
        let header = Header {
            needed: 20,
            name: name.to_vec(),
            flags: 0,
            method,
            crc: crc32fast::hash(content),
            packed: data.len() as u32,
            size: content.len() as u32,
            extra: Vec::new(),
        };
        Self {
            local: header.clone(),
            listed: header,
            data,
            descriptor: Vec::new(),
            made_by: 3 << 8,
            attributes: 0o100_644 << 16,
            disk: 0,
            internal: 0,
            offset: None,
            listed_only: false,
        }
    }

    pub(crate) fn stored(name: &str, content: &str) -> Self {
        Self::of(name.as_bytes(), content.as_bytes(), 0)
    }

    pub(crate) fn deflated(name: &str, content: &str) -> Self {
        Self::of(name.as_bytes(), content.as_bytes(), 8)
    }

    /// With any bytes as its name.
    pub(crate) fn named(name: &[u8]) -> Self {
        Self::of(name, b"x", 0)
    }

    pub(crate) fn folder(name: &str) -> Self {
        Self::of(name.as_bytes(), b"", 0).with_mode(0o040_755)
    }

    pub(crate) fn with_mode(mut self, mode: u32) -> Self {
        self.attributes = mode << 16;
        self
    }

    /// The same change in both headers.
    pub(crate) fn both(mut self, change: impl Fn(&mut Header)) -> Self {
        change(&mut self.local);
        change(&mut self.listed);
        self
    }

    /// A change in the local header alone.
    pub(crate) fn local(mut self, change: impl Fn(&mut Header)) -> Self {
        change(&mut self.local);
        self
    }

    /// The header in front of the data.
    pub(crate) fn local_bytes(&self) -> Vec<u8> {
        [b"PK\x03\x04", &self.local.bytes()[..], &self.local.name, &self.local.extra].concat()
    }

    /// As streaming writers make it: nothing in the local header, all of it behind the data.
    pub(crate) fn with_descriptor(mut self, signature: bool) -> Self {
        if signature {
            self.descriptor.extend(b"PK\x07\x08");
        }
        for number in [self.listed.crc, self.listed.packed, self.listed.size] {
            self.descriptor.extend(number.to_le_bytes());
        }
        (self.local.crc, self.local.packed, self.local.size) = (0, 0, 0);
        self.both(|header| header.flags |= 1 << 3)
    }

    /// With its two sizes in 64 bits in front of the data.
    pub(crate) fn wide_local(mut self) -> Self {
        self.local.extra.extend(wide_field(&[self.local.size.into(), self.local.packed.into()]));
        (self.local.size, self.local.packed) = (u32::MAX, u32::MAX);
        self
    }

    /// And in the list.
    pub(crate) fn wide_listed(mut self) -> Self {
        self.listed.extra.extend(wide_field(&[self.listed.size.into(), self.listed.packed.into()]));
        (self.listed.size, self.listed.packed) = (u32::MAX, u32::MAX);
        self
    }

    /// [`Entry::with_descriptor`] with 64 bits for sizes, as the header then has to say.
    pub(crate) fn with_wide_descriptor(self, signature: bool) -> Self {
        let mut entry = self.with_descriptor(signature);
        let at = if signature { 8 } else { 4 };
        entry.descriptor.truncate(at);
        for size in [entry.listed.packed, entry.listed.size] {
            entry.descriptor.extend(u64::from(size).to_le_bytes());
        }
        entry.wide_local()
    }
}

/// The extra field that holds numbers of 64 bits.
pub(crate) fn wide_field(numbers: &[u64]) -> Vec<u8> {
    let value: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    extra_field(1, &value)
}

/// An extra field.
pub(crate) fn extra_field(id: u16, value: &[u8]) -> Vec<u8> {
    [&id.to_le_bytes(), &(value.len() as u16).to_le_bytes(), value].concat()
}

/// A whole archive; change what is to lie.
#[derive(Debug, Clone, Default)]
pub(crate) struct Archive {
    pub(crate) before: Vec<u8>,
    pub(crate) entries: Vec<Entry>,
    /// Between the entries and the list.
    pub(crate) gap: Vec<u8>,
    /// Between the list and the end record.
    pub(crate) before_end: Vec<u8>,
    pub(crate) comment: Vec<u8>,
    /// Behind everything.
    pub(crate) after: Vec<u8>,
    /// Instead of the number of entries.
    pub(crate) count: Option<u16>,
    pub(crate) disk: u16,
    /// Offsets count from the first entry, not from the first byte.
    pub(crate) relative: bool,
    /// With an end record of 64 bits and its locator, 56 and 20 bytes, after this change to them.
    pub(crate) wide_end: Option<fn(&mut Vec<u8>)>,
    /// All ones where the end record of 32 bits has a number.
    pub(crate) saturated: bool,
}

impl Archive {
    pub(crate) fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self { entries: entries.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.before.clone();
        let base = if self.relative { self.before.len() } else { 0 };
        let mut list = Vec::new();
        for entry in &self.entries {
            let offset = entry.offset.unwrap_or((bytes.len() - base) as u32);
            if !entry.listed_only {
                bytes.extend(entry.local_bytes());
                bytes.extend(&entry.data);
                bytes.extend(&entry.descriptor);
            }
            list.extend(b"PK\x01\x02");
            list.extend(entry.made_by.to_le_bytes());
            list.extend(entry.listed.bytes());
            list.extend([0; 2]);
            list.extend(entry.disk.to_le_bytes());
            list.extend(entry.internal.to_le_bytes());
            list.extend(entry.attributes.to_le_bytes());
            list.extend(offset.to_le_bytes());
            list.extend(&entry.listed.name);
            list.extend(&entry.listed.extra);
        }
        bytes.extend(&self.gap);
        let offset = (bytes.len() - base) as u32;
        bytes.extend(&list);
        bytes.extend(&self.before_end);
        let count = self.count.unwrap_or(self.entries.len() as u16);
        if let Some(change) = self.wide_end {
            let mut wide = wide_end(bytes.len(), count, list.len(), offset);
            change(&mut wide);
            bytes.extend(wide);
        }
        bytes.extend(b"PK\x05\x06");
        for number in [self.disk, 0, count, count] {
            bytes.extend(if self.saturated && number == count { u16::MAX } else { number }.to_le_bytes());
        }
        for number in [list.len() as u32, offset] {
            bytes.extend(if self.saturated { u32::MAX } else { number }.to_le_bytes());
        }
        bytes.extend((self.comment.len() as u16).to_le_bytes());
        bytes.extend(&self.comment);
        bytes.extend(&self.after);
        bytes
    }
}

/// The end record with 64 bits at `at`, and its locator.
fn wide_end(at: usize, count: u16, list_bytes: usize, list_offset: u32) -> Vec<u8> {
    let mut bytes = b"PK\x06\x06".to_vec();
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 3, 45, 0]);
    bytes.extend([0; 8]);
    for number in [count.into(), count.into(), list_bytes as u64, list_offset.into()] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend((at as u64).to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes
}

/// `SKILL.md` and one more entry.
pub(crate) fn with(entry: Entry) -> Vec<u8> {
    Archive::of([Entry::deflated("SKILL.md", "# hi\n"), entry]).bytes()
}
