//! Settings: which layer wins, where each value came from, and what is refused.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use insta::assert_snapshot;
use skill_core::api::Access;
use skill_registry::Config;
use skill_registry::admin::Failure;
use skill_registry::config::{ConfigError, Flags, Source};

fn env(pairs: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
    pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// Reads `file` as settings; paths in what comes back are as if it lay in the current folder.
fn load(file: &str, pairs: &[(&str, &str)], flags: Flags) -> Result<Config, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.toml");
    fs_err::write(&path, file).unwrap();
    Config::load(Some(path), &env(pairs), flags)
}

fn refused(file: &str, pairs: &[(&str, &str)]) -> String {
    let error = load(file, pairs, Flags::default()).unwrap_err();
    let text = Failure::from(error).to_string();
    // The folder is a temporary one: only the file's own name is stable.
    let mut shown = String::new();
    for word in text.split_inclusive([' ', '(']) {
        shown.push_str(word.find("r.toml").filter(|_| word.starts_with('/')).map_or(word, |at| &word[at..]));
    }
    shown
}

#[test]
fn flags_beat_the_environment_which_beats_the_file_which_beats_defaults() {
    let file = "listen = '127.0.0.1:1'\npublic_url = 'https://file.example'\n[access]\nread = 'token'\n";
    let pairs =
        [("SKILL_REGISTRY_LISTEN", "127.0.0.1:2"), ("SKILL_REGISTRY_PUBLIC_URL", "https://env.example/")];
    let flags = Flags::default().with("listen", Some("127.0.0.1:3".to_owned()));
    let config = load(file, &pairs, flags).unwrap();
    assert_eq!(config.server.listen.port(), 3);
    assert_eq!(config.server.public_url.as_deref(), Some("https://env.example"));
    assert_eq!(config.access.read, Access::Token);
    assert_eq!(config.limits.announced.files, 2000);
    let from: Vec<String> = config
        .shown()
        .iter()
        .map(|s| {
            let from = s.source.to_string();
            format!("{} {}", s.key, from.rsplit('/').next().unwrap_or_default())
        })
        .collect();
    assert_snapshot!(from.join("\n"), @r"
    data default
    listen --listen
    public_url SKILL_REGISTRY_PUBLIC_URL
    server.trusted_proxies default
    server.forwarded default
    database.url default
    access.read r.toml:4
    clients.minimum default
    tokens.longest default
    sign_in.password default
    sign_in.session_days default
    limits.archive_bytes default
    limits.file_bytes default
    limits.bundle_bytes default
    limits.files default
    limits.path_bytes default
    limits.new_skills_day default
    limits.new_account default
    names.keep_deleted default
    names.used_from default
    names.protected default
    moderation.two_persons default
    downloads.mirrors default
    outbound.allow default
    rate.read.address default
    rate.read.user default
    rate.read.admin default
    rate.write.address default
    rate.write.user default
    rate.write.admin default
    rate.download.address default
    rate.download.user default
    rate.download.admin default
    rate.export.address default
    rate.export.user default
    rate.export.admin default
    rate.refused.address default
    metrics.read default
    log.format default
    log.level default
    ");
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let config = load("", &[("SKILL_REGISTRY_LISTEN", "")], Flags::default()).unwrap();
    assert_eq!(config.server.listen.port(), 8787);
}

#[test]
fn a_variable_that_is_no_setting_is_noted() {
    let pairs = [("SKILL_REGISTRY_PORT", "tcp://10.0.0.1:80"), ("SKILL_REGISTRY", "https://x.example")];
    assert_eq!(load("", &pairs, Flags::default()).unwrap().unknown_env, ["SKILL_REGISTRY_PORT"]);
}

#[test]
fn a_settings_file_in_the_data_folder_is_read_unless_another_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("config.toml"), "log.format = 'json'").unwrap();
    let flags = || Flags::default().with("data", Some(folder.path().display().to_string()));
    let read = Config::load(None, &env(&[]), flags()).unwrap();
    assert_eq!(read.log.format, skill_registry::config::LogFormat::Json);
    let other = folder.path().join("other.toml");
    fs_err::write(&other, "").unwrap();
    let pairs = [("SKILL_REGISTRY_CONFIG", other.to_str().unwrap())];
    let read = Config::load(None, &env(&pairs), flags()).unwrap();
    assert_eq!(read.log.format, skill_registry::config::LogFormat::Text);
}

#[test]
fn a_password_is_not_shown() {
    let file = "database.url = 'postgres://ada:hunter2@db.example/skills'";
    let config = load(file, &[], Flags::default()).unwrap();
    assert_eq!(config.database.url.as_deref(), Some("postgres://ada:hunter2@db.example/skills"));
    let shown = format!("{:?}", config.shown());
    assert!(shown.contains("postgres://ada:***@db.example/skills") && !shown.contains("hunter2"), "{shown}");
    let config =
        load("database.url = 'postgres://db/skills?user=ada&password=hunter2'", &[], Flags::default());
    let shown = format!("{:?}", config.unwrap().shown());
    assert!(shown.contains("postgres://db/skills?user=ada&password=***"), "{shown}");
    // Nor in what is said about a value that cannot be used.
    let said = refused("database.url = 'mysql://ada:hunter2@db/skills'", &[]);
    assert!(said.contains("mysql://ada:***@db/skills") && !said.contains("hunter2"), "{said}");
}

#[test]
fn unknown_keys() {
    assert_snapshot!(refused("# head\n\nlsiten = 'x'\n", &[]), @r"
    error: r.toml:3: `lsiten` is not a setting
    hint: did you mean `listen`
    ");
    assert_snapshot!(refused("[limits]\nfile_bites = 3\n", &[]), @r"
    error: r.toml:2: `limits.file_bites` is not a setting
    hint: did you mean `limits.file_bytes`
    ");
    assert_snapshot!(refused("[cookies]\nbanner = true\n", &[]), @r"
    error: r.toml:1: `cookies` is not a setting
    hint: `skill-registry config show` lists every setting
    ");
}

#[test]
fn what_is_not_toml_or_not_one_value() {
    assert_snapshot!(refused("listen = 'x'\nlisten = 'y'\n", &[]), @"error: r.toml:2:1: duplicate key");
    assert_snapshot!(refused("listen = [1]\n", &[]), @"error: r.toml:1: `listen` takes a text, a whole number, or true or false");
    assert_snapshot!(refused("access = 'public'\n", &[]), @r"
    error: r.toml:1: `access` is not a setting
    hint: `skill-registry config show` lists every setting
    ");
}

#[test]
fn values_that_do_not_read() {
    assert_snapshot!(refused("[access]\nread = 'private'\n", &[]), @"error: `private` does not read as public or token (access.read, from r.toml:2)");
    assert_snapshot!(refused("", &[("SKILL_REGISTRY_LISTEN", "localhost")]), @"error: `localhost` does not read as ADDRESS:PORT, as in 127.0.0.1:8787 (listen, from SKILL_REGISTRY_LISTEN)");
    assert_snapshot!(refused("database.url = 'mysql://x/y'", &[]), @"error: `mysql://x/y` does not read as postgres://USER@HOST/NAME; unset, the database is a file in the data folder (database.url, from r.toml:1)");
    assert_snapshot!(refused("limits.files = 0", &[]), @"error: `0` does not read as a whole number above 0 (limits.files, from r.toml:1)");
    assert_snapshot!(refused("clients.minimum = 'new'", &[]), @"error: `new` does not read as a version of skill, as in 0.2.0 (clients.minimum, from r.toml:1)");
    assert_snapshot!(refused("rate.read.user = -1", &[]), @r"
    error: `-1` does not read as a number of requests a minute, 0 for no limit (rate.read.user, from r.toml:1)
    ");
    assert_snapshot!(refused("server.forwarded = 'x-real-ip'", &[]), @r"
    error: `x-real-ip` does not read as x-forwarded-for or forwarded (server.forwarded, from r.toml:1)
    ");
    assert_snapshot!(refused("server.trusted_proxies = '10.0.0.1/8'", &[]), @r"
    error: `10.0.0.1/8` does not read as networks with commas between, as in 10.0.0.0/8, 192.0.2.7 (server.trusted_proxies, from r.toml:1)
    ");
    assert_snapshot!(refused("server.trusted_proxies = ['10.0.0.0/8']", &[]), @r"
    error: r.toml:1: `server.trusted_proxies` takes a text, a whole number, or true or false
    ");
    assert_snapshot!(refused("metrics.read = 'all'", &[]), @"error: `all` does not read as token or public (metrics.read, from r.toml:1)");
    assert_snapshot!(refused("limits.files = 2001", &[]), @"error: limits.files = 2001 is above 2000, which no client goes beyond");
}

/// Each of them is read from every layer.
#[test]
fn limits_and_proxies_are_settings_like_others() {
    let keys = ["read", "write", "download", "export"]
        .map(|kind| ["address", "user", "admin"].map(|who| (format!("rate.{kind}.{who}"), "7")));
    let more = [
        ("clients.minimum", "0.2.0"),
        ("rate.refused.address", "7"),
        ("server.trusted_proxies", "10.0.0.0/8, ::1"),
        ("server.forwarded", "forwarded"),
        ("metrics.read", "public"),
    ];
    let keys = keys.into_iter().flatten().chain(more.map(|(key, value)| (key.to_owned(), value)));
    for (key, value) in keys {
        let shown = |config: Config| {
            let shown = config.shown().iter().find(|shown| shown.key == key).unwrap().clone();
            (shown.value.unwrap(), shown.source)
        };
        let (in_file, from) = shown(load(&format!("{key} = '{value}'"), &[], Flags::default()).unwrap());
        assert!(matches!(from, Source::File { line: 1, .. }), "{from:?}");
        let name = format!("SKILL_REGISTRY_{}", key.replace('.', "_").to_uppercase());
        let (in_env, from) = shown(load("", &[(&name, value)], Flags::default()).unwrap());
        assert_eq!(from, Source::Env { name });
        assert_eq!((in_file.as_str(), in_env.as_str()), (value, value));
    }
    let config =
        load("rate.write.user = 7\nserver.trusted_proxies = '10.0.0.0/8, ::1'", &[], Flags::default());
    let config = config.unwrap();
    assert_eq!((config.rate.write.user, config.rate.write.address, config.rate.refused), (7, 300, 300));
    let proxies: Vec<String> = config.server.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "::1/128"]);
}

#[test]
fn public_urls_are_plain() {
    for url in [
        "ftp://x.example",
        "https://",
        "x.example",
        "https://a:b@x.example",
        "https://x.example/?q",
        "https://x.example/#f",
    ] {
        assert!(load(&format!("public_url = '{url}'"), &[], Flags::default()).is_err(), "{url}");
    }
    let config = load("public_url = 'https://x.example/skills/'", &[], Flags::default()).unwrap();
    assert_eq!(config.server.base_url(), "https://x.example/skills");
}

#[test]
fn a_public_url_is_needed_where_others_can_reach_the_address() {
    for listen in ["0.0.0.0:80", "[::]:80", "192.0.2.1:80"] {
        let error = load(&format!("listen = '{listen}'"), &[], Flags::default()).unwrap_err();
        assert!(matches!(error, ConfigError::PublicUrlMissing { .. }), "{listen}: {error}");
    }
    assert_snapshot!(refused("listen = '0.0.0.0:80'", &[]), @r"
    error: 0.0.0.0:80 is reachable from other machines, and public_url is not set
      because: clients, archives and signed pages have to be told one URL, and only you know it
    hint: add `--public-url https://skills.example.com`, or listen on 127.0.0.1
    ");
    for listen in ["127.0.0.1:80", "127.9.9.9:80", "[::1]:80"] {
        assert!(load(&format!("listen = '{listen}'"), &[], Flags::default()).is_ok(), "{listen}");
    }
}

#[test]
fn a_settings_file_that_is_not_there() {
    let error =
        Config::load(Some(PathBuf::from("/nowhere/r.toml")), &env(&[]), Flags::default()).unwrap_err();
    assert_snapshot!(Failure::from(error), @r"
    error: cannot read the settings
      because: cannot open file `/nowhere/r.toml`: No such file or directory (os error 2)
    ");
}
