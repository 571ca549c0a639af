//! Characters that are another spelling of a letter of ASCII.

/// Letters of Cyrillic, Greek and Armenian, and Latin letters of phonetics, that look like one of
/// ASCII (a part of Unicode Technical Standard 39's confusables).
const LOOKALIKES: [(&str, char); 44] = [
    ("аɑα", 'a'),
    ("ЬƄ", 'b'),
    ("сϲⅽ", 'c'),
    ("ԁⅾ", 'd'),
    ("еҽ", 'e'),
    ("ɡց", 'g'),
    ("һհ", 'h'),
    ("іıɩι", 'i'),
    ("јϳ", 'j'),
    ("ӏⅼ", 'l'),
    ("ⅿ", 'm'),
    ("ո", 'n'),
    ("оοσօ", 'o'),
    ("рρ", 'p'),
    ("ԛզ", 'q'),
    ("ѕ", 's'),
    ("υսʋ", 'u'),
    ("νѵⅴ", 'v'),
    ("ԝѡա", 'w'),
    ("хχⅹ", 'x'),
    ("уγү", 'y'),
    ("АΑ", 'A'),
    ("ВΒ", 'B'),
    ("СϹⅭ", 'C'),
    ("ЕΕ", 'E'),
    ("Ԍ", 'G'),
    ("НΗ", 'H'),
    ("ІΙӀⅠ", 'I'),
    ("Ј", 'J'),
    ("КΚ", 'K'),
    ("Ⅼ", 'L'),
    ("МΜⅯ", 'M'),
    ("Ν", 'N'),
    ("ОΟՕ", 'O'),
    ("РΡ", 'P'),
    ("Ѕ", 'S'),
    ("ТΤ", 'T'),
    ("Ѵ", 'V'),
    ("Ԝ", 'W'),
    ("ХΧ", 'X'),
    ("УΥҮ", 'Y'),
    ("Ζ", 'Z'),
    ("‘’ʼ", '\''),
    ("“”", '"'),
];

/// `character` as ASCII has it; `None` for a mark that only sits on the letter before.
pub(super) fn latin(character: char) -> Option<char> {
    if character.is_ascii() {
        return Some(character);
    }
    let point = u32::from(character);
    let ascii = |point: u32| u8::try_from(point).ok().map(char::from);
    match point {
        // Combining marks: strokes and accents over what can be read without them.
        0x300..=0x36F | 0x483..=0x489 | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF => None,
        // The full-width forms of ASCII.
        0xFF01..=0xFF5E => ascii(point - 0xFF01 + 0x21),
        // Mathematical letters: thirteen alphabets of 52, digits behind them.
        0x1D400..=0x1D6A3 => {
            let letter = (point - 0x1D400) % 52;
            ascii(if letter < 26 { 0x41 + letter } else { 0x61 + letter - 26 })
        }
        0x1D7CE..=0x1D7FF => ascii(0x30 + (point - 0x1D7CE) % 10),
        // Letters in circles and in squares.
        0x24B6..=0x24CF => ascii(0x41 + point - 0x24B6),
        0x24D0..=0x24E9 => ascii(0x61 + point - 0x24D0),
        0x1F130..=0x1F149 => ascii(0x41 + point - 0x1F130),
        0x180..=0x58F | 0x2018..=0x201D | 0x2160..=0x217F => {
            let known = LOOKALIKES.iter().find(|(others, _)| others.contains(character));
            Some(known.map_or(character, |&(_, letter)| letter))
        }
        _ => Some(character),
    }
}

/// Names of entities that hide a character of a command or of a sentence.
const ENTITIES: [(&str, char); 20] = [
    ("nbsp", ' '),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("NewLine", ' '),
    ("Tab", ' '),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("vert", '|'),
    ("verbar", '|'),
    ("VerticalLine", '|'),
    ("colon", ':'),
    ("sol", '/'),
    ("period", '.'),
    ("dollar", '$'),
    ("lpar", '('),
    ("rpar", ')'),
];

/// The longest entity that is read.
const LONGEST: usize = 16;

/// The character that an entity of HTML at the beginning of `text` stands for, and its length.
pub(crate) fn entity(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let shown = match name.strip_prefix('#') {
        Some(number) => {
            let hexadecimal = number.strip_prefix(['x', 'X']);
            let point =
                hexadecimal.map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
            char::from_u32(point?).filter(|shown| !shown.is_control())?
        }
        None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
    };
    (shown.len_utf8() <= end).then_some((shown, end + 1))
}
