//! A new migration is a change of this program, which embeds them.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
