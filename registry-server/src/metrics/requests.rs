use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};

use super::text::{Family, Text, Type};
use crate::http::rows;

/// Up to how many microseconds an answer took, and the same in seconds as Prometheus reads it.
const TIMES: [(u64, &str); 8] = [
    (500, "0.0005"),
    (1_000, "0.001"),
    (5_000, "0.005"),
    (25_000, "0.025"),
    (100_000, "0.1"),
    (500_000, "0.5"),
    (2_500_000, "2.5"),
    (10_000_000, "10"),
];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

const ANSWERED: Family = Family {
    name: "skill_registry_requests_total",
    kind: Type::Counter,
    help: "Requests that were answered, by the template of their path.",
};
const TOOK: Family = Family {
    name: "skill_registry_request_seconds",
    kind: Type::Histogram,
    help: "How long it took until an answer began.",
};

/// The requests of every route that has a row in the table, and of what is no route, together.
#[derive(Debug)]
pub(super) struct Requests {
    routes: Vec<Route>,
    /// Methods of a path and where they are counted.
    places: HashMap<&'static str, Vec<(&'static Method, usize)>>,
    others: Route,
}

/// The requests of one route.
#[derive(Debug)]
pub(super) struct Route {
    method: &'static str,
    path: &'static str,
    classes: [AtomicU64; CLASSES.len()],
    /// One more than there are times: what took longer than all of them.
    times: [AtomicU64; TIMES.len() + 1],
    micros: AtomicU64,
}

impl Default for Requests {
    fn default() -> Self {
        let mut places: HashMap<_, Vec<_>> = HashMap::new();
        let mut routes = Vec::new();
        for (at, row) in rows().enumerate() {
            places.entry(row.path).or_default().push((&row.method, at));
            routes.push(Route::new(row.method.as_str(), row.path));
        }
        Self { routes, places, others: Route::new("", "") }
    }
}

impl Requests {
    /// Where requests of this route are counted; HEAD is a GET.
    pub(super) fn of(&self, path: Option<&str>, method: &Method) -> &Route {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        let methods = path.and_then(|path| self.places.get(path)).map_or(&[][..], Vec::as_slice);
        let found = methods.iter().find(|(known, _)| *known == method);
        found.map_or(&self.others, |(_, at)| &self.routes[*at])
    }

    /// Writes what was asked for at least once.
    pub(super) fn write(&self, text: &mut Text) {
        let routes = || self.routes.iter().chain([&self.others]);
        text.family(&ANSWERED);
        routes().for_each(|route| route.write_classes(text));
        text.family(&TOOK);
        routes().for_each(|route| route.write_times(text));
    }
}

impl Route {
    fn new(method: &'static str, path: &'static str) -> Self {
        Self {
            method,
            path,
            classes: Default::default(),
            times: Default::default(),
            micros: AtomicU64::new(0),
        }
    }

    /// Counts a request.
    pub(super) fn note(&self, status: StatusCode, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let class = usize::from(status.as_u16() / 100).clamp(1, CLASSES.len()) - 1;
        let time = TIMES.iter().position(|(most, _)| micros <= *most).unwrap_or(TIMES.len());
        self.classes[class].fetch_add(1, Ordering::Relaxed);
        self.times[time].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn write_classes(&self, text: &mut Text) {
        for (class, count) in CLASSES.iter().zip(&self.classes) {
            let count = count.load(Ordering::Relaxed);
            if count > 0 {
                text.sample("", &[("method", self.method), ("route", self.path), ("status", class)], count);
            }
        }
    }

    fn write_times(&self, text: &mut Text) {
        let times = self.times.each_ref().map(|count| count.load(Ordering::Relaxed));
        let all: u64 = times.iter().sum();
        if all == 0 {
            return;
        }
        let labels = [("method", self.method), ("route", self.path)];
        let most = TIMES.iter().map(|(_, seconds)| *seconds).chain(["+Inf"]);
        let mut so_far = 0;
        for (most, count) in most.zip(times) {
            so_far += count;
            text.sample("_bucket", &[labels[0], labels[1], ("le", most)], so_far);
        }
        let took = Duration::from_micros(self.micros.load(Ordering::Relaxed));
        text.sample("_sum", &labels, took.as_secs_f64());
        text.sample("_count", &labels, all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(requests: &Requests) -> String {
        let mut text = Text::default();
        requests.write(&mut text);
        text.into_string()
    }

    /// Buckets hold what is below them too, and every request is in each of the three.
    #[test]
    fn a_request_is_counted_where_it_belongs() {
        let requests = Requests::default();
        let healthz = requests.of(Some("/healthz"), &Method::HEAD);
        healthz.note(StatusCode::OK, Duration::from_micros(500));
        healthz.note(StatusCode::SERVICE_UNAVAILABLE, Duration::from_micros(501));
        requests.of(Some("/healthz"), &Method::PUT).note(StatusCode::METHOD_NOT_ALLOWED, Duration::ZERO);
        requests.of(Some("/no/row"), &Method::GET).note(StatusCode::NOT_FOUND, Duration::from_secs(11));
        insta::assert_snapshot!(written(&requests), @r#"
        # HELP skill_registry_requests_total Requests that were answered, by the template of their path.
        # TYPE skill_registry_requests_total counter
        skill_registry_requests_total{method="GET",route="/healthz",status="2xx"} 1
        skill_registry_requests_total{method="GET",route="/healthz",status="5xx"} 1
        skill_registry_requests_total{method="",route="",status="4xx"} 2
        # HELP skill_registry_request_seconds How long it took until an answer began.
        # TYPE skill_registry_request_seconds histogram
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="0.0005"} 1
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="0.001"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="0.005"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="0.025"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="0.1"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="0.5"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="2.5"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="10"} 2
        skill_registry_request_seconds_bucket{method="GET",route="/healthz",le="+Inf"} 2
        skill_registry_request_seconds_sum{method="GET",route="/healthz"} 0.001001
        skill_registry_request_seconds_count{method="GET",route="/healthz"} 2
        skill_registry_request_seconds_bucket{method="",route="",le="0.0005"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="0.001"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="0.005"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="0.025"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="0.1"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="0.5"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="2.5"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="10"} 1
        skill_registry_request_seconds_bucket{method="",route="",le="+Inf"} 2
        skill_registry_request_seconds_sum{method="",route=""} 11
        skill_registry_request_seconds_count{method="",route=""} 2
        "#);
    }

    #[test]
    fn the_seconds_are_the_microseconds() {
        for (micros, seconds) in TIMES {
            assert_eq!(Duration::from_micros(micros).as_secs_f64().to_string(), seconds);
        }
    }
}
