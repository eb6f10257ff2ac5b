//! Which requests pass the gate.

use super::Server;
use std::net::{IpAddr, Ipv4Addr};
use tungstenite::client::IntoClientRequest;

/// The status of a request with these headers.
fn status(server: &Server, method: &str, path: &str, host: &str, origin: Option<&str>, more: &str) -> u16 {
    let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
    let text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{origin}{more}Connection: close\r\n\r\n");
    server.http(&text).0
}

#[test]
fn hosts_and_origins() {
    let server = Server::new();
    let port = server.port;
    let good = |name: &str| format!("{name}:{port}");
    for (host, status_wanted) in [
        (good("127.0.0.1"), 200),
        (good("localhost"), 200),
        (good("LOCALHOST"), 200),
        (good("[::1]"), 200),
        ("127.0.0.1".to_owned(), 421),
        (format!("127.0.0.1:{}", port.wrapping_add(1)), 421),
        (good("evil.example"), 421),
        (good("127.0.0.1.evil.example"), 421),
        (good("localhost."), 421),
        (format!("evil.example@127.0.0.1:{port}"), 421),
        (String::new(), 421),
    ] {
        assert_eq!(status(&server, "GET", "/", &host, None, ""), status_wanted, "{host}");
    }
    assert_eq!(server.http("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").0, 421);
    let twice = format!("Host: evil.example:{port}\r\n");
    assert!(status(&server, "GET", "/", &good("127.0.0.1"), None, &twice) >= 400);
    let host = good("127.0.0.1");
    for (origin, wanted) in [
        (format!("http://{}", good("127.0.0.1")), 200),
        (format!("http://{}", good("localhost")), 200),
        (format!("https://{}", good("127.0.0.1")), 403),
        ("http://evil.example".to_owned(), 403),
        (format!("http://evil.example:{port}"), 403),
        ("null".to_owned(), 403),
        (String::new(), 403),
    ] {
        assert_eq!(status(&server, "GET", "/", &host, Some(&origin), ""), wanted, "{origin}");
        // What rebinding does: both are the attacker's.
        let rebound = origin.trim_start_matches("http://");
        if wanted == 403 && rebound.contains("evil") {
            assert_eq!(status(&server, "GET", "/", rebound, Some(&origin), ""), 421);
        }
    }
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        assert_eq!(status(&server, method, "/", &host, None, ""), 405, "{method}");
    }
    assert_eq!(status(&server, "POST", "/api/file", &host, None, "Content-Length: 0\r\n"), 403);
}

#[test]
fn sockets_need_an_origin() {
    let server = Server::new();
    let port = server.port;
    let connect = |origin: Option<&str>| {
        let stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
        let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        tungstenite::client(request, stream).is_ok()
    };
    assert!(connect(Some(&format!("http://localhost:{port}"))));
    assert!(!connect(None));
    assert!(!connect(Some("http://evil.example")));
    assert!(!connect(Some("null")));
}

#[test]
fn other_machines_need_the_token() {
    let server = Server::with(|settings| {
        settings.listen = Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        settings.hosts = vec!["board.example".to_owned()];
    });
    let address = server.with_token.clone().unwrap();
    let token = address.split("t=").nth(1).unwrap().to_owned();
    assert_eq!(token.len(), 32);
    let host = format!("board.example:{}", server.port);
    assert_eq!(status(&server, "GET", "/", &host, None, ""), 403);
    assert_eq!(status(&server, "GET", "/?t=0", &host, None, ""), 403);
    let wrong = format!("/?t={}0", &token[..31]);
    assert!(wrong.ends_with(&token) || status(&server, "GET", &wrong, &host, None, "") == 403);
    let (code, head, _) =
        server.http(&format!("GET /?t={token} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert_eq!(code, 303);
    assert!(head.contains("httponly; samesite=strict"), "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(status(&server, "GET", "/", &host, None, &cookie), 200);
    assert_eq!(status(&server, "GET", "/", &host, Some("http://evil.example"), &cookie), 403);
    assert_eq!(status(&server, "GET", "/", "evil.example", None, &cookie), 421);
}

#[test]
fn paths() {
    let server = Server::new();
    for (path, wanted) in [
        ("/", 200),
        ("/b/k3f9abcd", 200),
        ("/runs/some/run", 200),
        ("/a/index.html", 200),
        ("/favicon.ico", 200),
        ("/a/none.js", 404),
        ("/a/../Cargo.toml", 404),
        ("/a/%2e%2e/Cargo.toml", 404),
        ("/a/..%2f..%2fCargo.toml", 404),
        ("/a//etc/passwd", 404),
        ("/a/protocol.d.ts", 404),
        ("/etc/passwd.txt", 404),
        ("/api/nothing", 404),
        ("/api/board/none.kif", 404),
        ("/api/board/..%2f..%2fx.kif", 404),
    ] {
        let (code, head, _) = server.get(path);
        assert_eq!(code, wanted, "{path}");
        assert!(head.contains("content-security-policy: default-src 'none'"), "{path}: {head}");
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
        ] {
            assert!(head.contains(header), "{path}: {header}");
        }
    }
}

#[test]
fn pages_are_checked_by_their_tags_and_come_packed() {
    let server = Server::new();
    let (_, head, body) = server.get("/");
    assert!(body.to_ascii_lowercase().contains("<!doctype html>"));
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n",
        server.port
    );
    assert_eq!(server.http(&again).0, 304);
    let packed = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n",
        server.port
    );
    assert!(server.http(&packed).1.contains("content-encoding: gzip"));
}

#[test]
fn bodies_are_limited() {
    let server = Server::new();
    let port = server.port;
    let text = format!(
        "POST /api/file HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        (16 << 20) + 1
    );
    assert_eq!(server.http(&text).0, 413);
    let (code, _, body) = server.post("/api/file", "nothing that is a record");
    assert_eq!(code, 422, "{body}");
}
