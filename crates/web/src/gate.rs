//! Lets in requests that the pages of this server make, and refuses all others.
//!
//! Under DNS rebinding a foreign page reaches a local port with its own name in `Host` and `Origin`, so both are compared with a
//! list of our own. Other machines need the token as well.

use crate::assets::plain;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use std::collections::HashSet;
use std::net::IpAddr;

/// The rules of the gate.
pub struct Gate {
    hosts: HashSet<String>,
    /// 128 bits as hexadecimal digits.
    token: String,
    /// Whether every request needs the token.
    needs_token: bool,
    port: u16,
}

/// 128 bits of the system's randomness.
fn fresh_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// What the gate decides.
pub enum Pass {
    /// The request goes on.
    In,
    /// The token was in the address: it moves into a cookie.
    TakeToken,
    /// An answer instead.
    Out(Box<Response<Body>>),
}

impl Gate {
    /// A gate for this port; `listen` and `names` are what else the machine is called.
    pub fn new(port: u16, listen: Option<IpAddr>, names: &[String]) -> Result<Self, getrandom::Error> {
        let mut gate = Self { hosts: HashSet::new(), token: fresh_token()?, needs_token: false, port };
        for name in ["127.0.0.1", "localhost", "[::1]"] {
            gate.allow(name);
        }
        if let Some(address) = listen.filter(|address| !address.is_loopback()) {
            gate.needs_token = true;
            match address {
                IpAddr::V6(address) => gate.allow(&format!("[{address}]")),
                IpAddr::V4(address) => gate.allow(&address.to_string()),
            }
        }
        for name in names {
            gate.allow(name);
        }
        Ok(gate)
    }

    fn allow(&mut self, name: &str) {
        let name = name.to_ascii_lowercase();
        if self.port == 80 {
            self.hosts.insert(name.clone());
        }
        self.hosts.insert(format!("{name}:{}", self.port));
    }

    /// The token, if people need it.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.needs_token.then_some(self.token.as_str())
    }

    fn cookie_name(&self) -> String {
        format!("tsumugi_{}", self.port)
    }

    /// The cookie that holds the token.
    #[must_use]
    pub fn cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.token)
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).any(|cookies| {
            cookies
                .split(';')
                .filter_map(|cookie| cookie.trim().split_once('='))
                .any(|(known, value)| known == name && same(value.as_bytes(), self.token.as_bytes()))
        })
    }

    fn has_query_token(&self, query: Option<&str>) -> bool {
        let given = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("t=")));
        given.is_some_and(|given| same(given.as_bytes(), self.token.as_bytes()))
    }

    /// Judges a request.
    #[must_use]
    pub fn judge<B>(&self, request: &Request<B>) -> Pass {
        let out = |status, text: &str| Pass::Out(Box::new(plain(status, text)));
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
        if hosts.next().is_some() || !host.is_some_and(|host| self.hosts.contains(&host)) {
            return out(
                StatusCode::MISDIRECTED_REQUEST,
                "this server is not called so: use the address that it printed",
            );
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
            return out(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST");
        }
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| !self.is_own_origin(origin)) {
            return out(StatusCode::FORBIDDEN, "a page from elsewhere");
        }
        let cookie = self.has_cookie(headers);
        let query = self.has_query_token(request.uri().query());
        let is_socket = request.uri().path() == "/ws";
        if is_socket && origin.is_none() && !cookie && !query {
            return out(StatusCode::FORBIDDEN, "a socket without Origin needs the token");
        }
        if *request.method() == Method::POST && origin.is_none() && !cookie {
            return out(StatusCode::FORBIDDEN, "a POST without Origin needs the token");
        }
        if !self.needs_token || cookie {
            return Pass::In;
        }
        match (query, is_socket) {
            (true, true) => Pass::In,
            (true, false) => Pass::TakeToken,
            (false, _) => {
                out(StatusCode::FORBIDDEN, "open the address with the token that the server printed")
            }
        }
    }

    fn is_own_origin(&self, origin: &HeaderValue) -> bool {
        let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.hosts.contains(&host.to_ascii_lowercase()))
    }
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// What every answer carries.
pub fn guard(headers: &mut HeaderMap) {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                          connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
                          form-action 'none'";
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}
