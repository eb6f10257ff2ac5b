//! The server: where it listens, which addresses it knows, and how it ends.

use crate::app_state::AppState;
use crate::assets::{Assets, plain};
use crate::gate::{Gate, Pass, guard};
use crate::{files, socket};
use arena::EngineSpec;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path as UrlPath, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::{any, get, post};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// The port that is tried first.
pub const USUAL_PORT: u16 = 7680;
/// So many ports are tried after it.
const MORE_PORTS: u16 = 20;
/// Requests with more bytes than this are refused.
const MOST_BYTES: usize = 16 << 20;
/// Messages on a socket have at most so many bytes.
const MOST_MESSAGE: usize = 256 << 10;
/// Boards are saved so often.
const SAVE_EVERY: Duration = Duration::from_millis(400);
/// How long connections may take to end.
const FAREWELL: Duration = Duration::from_millis(200);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The port; 0 for a free one; the usual one or the next where absent.
    pub port: Option<u16>,
    /// Another address than this machine's own.
    pub listen: Option<IpAddr>,
    /// Other names of this machine.
    pub hosts: Vec<String>,
    /// Where boards and settings are kept.
    pub data: PathBuf,
    /// The folder of books.
    pub books: Option<PathBuf>,
    /// Files of libraries of games.
    pub libraries: Vec<PathBuf>,
    /// The folder of runs.
    pub runs: Option<PathBuf>,
    /// The folder of pages, for development.
    pub assets: Option<PathBuf>,
    /// How many engines may think at the same time.
    pub engines: u32,
    /// The program that plays and analyses: ours.
    pub own_engine: EngineSpec,
    /// Other engines.
    pub others: Vec<EngineSpec>,
    /// The version that pages show.
    pub version: String,
}

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not this machine's.
    #[error("cannot listen on {address}: {error}: choose another with --port or --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The system refuses threads or timers.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
    /// The folder of boards cannot be used.
    #[error("{folder}: {error}: choose another folder with --data")]
    Data {
        /// The folder.
        folder: String,
        /// Why.
        error: io::Error,
    },
    /// A library of games cannot be used.
    #[error("--library: {0}")]
    Library(#[source] library::LibraryError),
}

/// Where a server listens.
#[derive(Clone, Debug)]
pub struct Listening {
    /// `http://127.0.0.1:7680/`
    pub address: String,
    /// The same with the token, where other machines need it.
    pub with_token: Option<String>,
}

struct ServerState {
    gate: Gate,
    assets: Assets,
    app: Arc<AppState>,
}

/// Runs a server until SIGTERM or Ctrl-C; `ready` is called when it listens.
pub fn serve(settings: Settings, ready: impl FnOnce(&Listening)) -> Result<(), ServeError> {
    std::fs::create_dir_all(&settings.data)
        .map_err(|error| ServeError::Data { folder: settings.data.display().to_string(), error })?;
    for library in &settings.libraries {
        library::Library::open(library).map_err(ServeError::Library)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(32)
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let result = runtime.block_on(run(settings, ready));
    runtime.shutdown_timeout(FAREWELL);
    result
}

async fn run(settings: Settings, ready: impl FnOnce(&Listening)) -> Result<(), ServeError> {
    let (listening, app) = start(settings).await?;
    ready(&listening);
    signalled().await;
    app.close();
    // Tabs get a goodbye; connections that stay open are cut.
    tokio::time::sleep(FAREWELL / 2).await;
    Ok(())
}

/// Begins to listen.
pub(crate) async fn start(settings: Settings) -> Result<(Listening, Arc<AppState>), ServeError> {
    let listeners = listen(settings.port, settings.listen).await?;
    let address = listeners[0].local_addr().map_err(ServeError::Start)?;
    let gate = Gate::new(address.port(), settings.listen, &settings.hosts)
        .map_err(|error| ServeError::Start(error.into()))?;
    let shown = format!("http://{address}/");
    let with_token = gate.token().map(|token| format!("{shown}?t={token}"));
    let assets = Assets::new(settings.assets.clone());
    let app = AppState::new(settings);
    let site = Arc::new(ServerState { gate, assets, app: app.clone() });
    let router = router(site);
    for listener in listeners {
        let router = router.clone();
        tokio::spawn(async move { axum::serve(listener, router).await });
    }
    tokio::spawn(save_boards(app.clone()));
    tokio::spawn(watch_clocks(app.clone()));
    Ok((Listening { address: shown, with_token }, app))
}

/// Sockets for the chosen address and for both loopback addresses, all on the same port.
async fn listen(port: Option<u16>, other: Option<IpAddr>) -> Result<Vec<TcpListener>, ServeError> {
    let first = other.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let ports = match port {
        Some(port) => port..=port,
        None => USUAL_PORT..=USUAL_PORT + MORE_PORTS,
    };
    let mut last_error = None;
    for port in ports {
        let address = SocketAddr::new(first, port);
        match TcpListener::bind(address).await {
            Ok(listener) => {
                let port = listener.local_addr().map_err(ServeError::Start)?.port();
                let mut listeners = vec![listener];
                for loopback in [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
                    // One that is taken, covered by the first socket or missing leaves the others.
                    if loopback != first {
                        listeners.extend(TcpListener::bind((loopback, port)).await.ok());
                    }
                }
                return Ok(listeners);
            }
            Err(error) => last_error = Some(ServeError::Listen { address, error }),
        }
    }
    Err(last_error.unwrap_or_else(|| ServeError::Start(io::ErrorKind::AddrInUse.into())))
}

/// Waits for SIGTERM or Ctrl-C.
async fn signalled() {
    let ended = Arc::new(Notify::new());
    let handler = ended.clone();
    // Without a handler the signal ends the process, as it should; boards are saved all the time.
    if ctrlc::set_handler(move || handler.notify_one()).is_ok() {
        ended.notified().await;
    } else {
        std::future::pending::<()>().await;
    }
}

async fn save_boards(app: Arc<AppState>) {
    let mut interval = tokio::time::interval(SAVE_EVERY);
    loop {
        interval.tick().await;
        let app = app.clone();
        // A save that panics is tried again.
        let _ = tokio::task::spawn_blocking(move || app.save()).await;
    }
}

async fn watch_clocks(app: Arc<AppState>) {
    let mut interval = tokio::time::interval(Duration::from_millis(100));
    loop {
        interval.tick().await;
        app.check_clocks();
    }
}

fn router(site: Arc<ServerState>) -> Router {
    Router::new()
        .route("/ws", any(open_socket))
        .route("/a/{*name}", get(asset))
        .route("/api/file", post(post_file))
        .route("/api/board/{name}", get(get_board))
        .route("/favicon.ico", get(icon))
        .fallback(page)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(site.clone(), check_gate))
        .with_state(site)
}

async fn check_gate(State(site): State<Arc<ServerState>>, request: Request, next: Next) -> Response<Body> {
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let too_long =
        announced.and_then(|length| length.parse().ok()).is_some_and(|length: usize| length > MOST_BYTES);
    let mut response = match site.gate.judge(&request) {
        // Before the bytes come.
        Pass::In if too_long => plain(StatusCode::PAYLOAD_TOO_LARGE, "files have at most 16 MiB"),
        Pass::In => next.run(request).await,
        Pass::Out(response) => *response,
        Pass::TakeToken => {
            let mut response = plain(StatusCode::SEE_OTHER, "");
            response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
            if let Ok(cookie) = HeaderValue::from_str(&site.gate.cookie()) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
    };
    guard(response.headers_mut());
    response
}

async fn open_socket(State(site): State<Arc<ServerState>>, upgrade: WebSocketUpgrade) -> Response<Body> {
    let app = site.app.clone();
    upgrade
        .max_message_size(MOST_MESSAGE)
        .max_frame_size(MOST_MESSAGE)
        .on_upgrade(move |socket| socket::serve(socket, app))
        .into_response()
}

async fn asset(
    State(site): State<Arc<ServerState>>,
    UrlPath(name): UrlPath<String>,
    headers: HeaderMap,
) -> Response<Body> {
    site.assets.serve(&name, &headers)
}

async fn icon(State(site): State<Arc<ServerState>>, headers: HeaderMap) -> Response<Body> {
    let response = site.assets.serve("icon.svg", &headers);
    if response.status() == StatusCode::NOT_FOUND { plain(StatusCode::NO_CONTENT, "") } else { response }
}

/// Pages know their own addresses: every path that names no file is the one page.
async fn page(State(site): State<Arc<ServerState>>, request: Request) -> Response<Body> {
    let path = request.uri().path();
    let last = path.rsplit('/').next().unwrap_or_default();
    let elsewhere = ["/a/", "/api/", "/ws"].iter().any(|start| path.starts_with(start));
    if elsewhere || last.contains('.') || request.method() == axum::http::Method::POST {
        return plain(StatusCode::NOT_FOUND, "no such page");
    }
    site.assets.serve("index.html", request.headers())
}

async fn post_file(State(site): State<Arc<ServerState>>, bytes: axum::body::Bytes) -> Response<Body> {
    let app = site.app.clone();
    let opened = tokio::task::spawn_blocking(move || files::open(&app, &bytes)).await;
    match opened {
        Ok(result) => files::answer(&result),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "reading the file failed"),
    }
}

async fn get_board(
    State(site): State<Arc<ServerState>>,
    UrlPath(name): UrlPath<String>,
    request: Request,
) -> Response<Body> {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let app = site.app.clone();
    let download = tokio::task::spawn_blocking(move || files::download(&app, &name, &query)).await;
    download.unwrap_or_else(|_| plain(StatusCode::INTERNAL_SERVER_ERROR, "writing the file failed"))
}
