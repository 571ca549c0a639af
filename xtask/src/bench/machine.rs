//! What the figures were taken on.

/// One line: cores, processor, kernel, and what else is going on.
pub(super) fn facts() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cpuinfo = text("/proc/cpuinfo");
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown processor", |(_, model)| model);
    let kernel = text("/proc/sys/kernel/osrelease");
    format!("{cores} cores, {model}, Linux {}, load average {}", kernel.trim(), load())
}

/// The load average of the last minute: above 0.5 or so, times are too long and only ratios count.
pub(super) fn load() -> String {
    text("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned()
}

fn text(path: &str) -> String {
    fs_err::read_to_string(path).unwrap_or_default()
}
