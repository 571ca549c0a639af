use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

/// The program `nginx`, serving a folder on loopback; it ends when this value goes.
pub(super) struct Nginx {
    address: SocketAddr,
    folder: PathBuf,
    process: Child,
}

impl Nginx {
    /// Starts it with as many processes as this machine has cores, an access log, and kept connections. `None` if
    /// it is not installed.
    pub(super) fn start(folder: &Path) -> anyhow::Result<Option<Self>> {
        let folder = folder.join("nginx");
        fs_err::create_dir_all(folder.join("files"))?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let settings = format!(
            "daemon off; user root; worker_processes auto; pid nginx.pid; error_log error.log;\n\
             events {{ worker_connections 256; }}\n\
             http {{ access_log access.log; sendfile on; tcp_nopush on; keepalive_requests 10000000;\n\
             client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;\n\
             scgi_temp_path scgi; default_type application/zip; server {{ listen {address}; root files; }} }}\n"
        );
        fs_err::write(folder.join("nginx.conf"), settings)?;
        let started = Command::new("nginx")
            .arg("-p")
            .arg(&folder)
            .args(["-c", "nginx.conf", "-e", "error.log"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = match started {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            started => started.context("cannot start nginx")?,
        };
        let nginx = Self { address, folder, process };
        nginx.wait_until_it_answers()?;
        Ok(Some(nginx))
    }

    fn wait_until_it_answers(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            ensure!(began.elapsed() < Duration::from_secs(5), "nginx does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves these bytes under `/{name}` from now on.
    pub(super) fn serve(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(fs_err::write(self.folder.join("files").join(name), bytes)?)
    }
}

impl Drop for Nginx {
    /// Its own way to end: a kill would leave its workers behind.
    fn drop(&mut self) {
        let mut stop = Command::new("nginx");
        stop.arg("-p").arg(&self.folder).args(["-c", "nginx.conf", "-e", "error.log", "-s", "stop"]);
        let _ = stop.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = self.process.wait();
    }
}
