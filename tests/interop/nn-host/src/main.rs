//! interop-nn-host GRAPH-FOLDER GUEST-FOLDER GUEST.wasm [ARGUMENT]...
//!
//! Runs a guest with the graph GRAPH-FOLDER/model.onnx, named as its folder, and the files of GUEST-FOLDER. The status is the
//! guest's; 134 when it traps. ORT_DYLIB_PATH names ONNX Runtime.
use std::process::exit;

use wasmtime::{Engine, Linker, Module, Result, Store};
use wasmtime_wasi::{FsPerms, I32Exit, WasiCtxBuilder, p1::WasiP1Ctx};
use wasmtime_wasi_nn::witx::WasiNnCtx;

struct Host {
    wasi: WasiP1Ctx,
    nn: WasiNnCtx,
}

fn run(graph: &str, folder: &str, guest: &[String]) -> Result<()> {
    let engine = Engine::default();
    let mut linker = Linker::new(&engine);
    wasmtime_wasi::p1::add_to_linker_sync(&mut linker, |host: &mut Host| &mut host.wasi)?;
    wasmtime_wasi_nn::witx::add_to_linker(&mut linker, |host: &mut Host| &mut host.nn)?;
    let (backends, registry) = wasmtime_wasi_nn::preload(&[("onnx".to_string(), graph.to_string())])?;
    let mut wasi = WasiCtxBuilder::new();
    wasi.inherit_stdio().args(guest).preopened_dir(folder, ".", FsPerms::ReadWrite)?;
    let host = Host { wasi: wasi.build_p1(), nn: WasiNnCtx::new(backends, registry) };
    let mut store = Store::new(&engine, host);
    let module = Module::from_file(&engine, &guest[0])?;
    let instance = linker.instantiate(&mut store, &module)?;
    instance.get_typed_func::<(), ()>(&mut store, "_start")?.call(&mut store, ())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() < 3 {
        eprintln!("usage: interop-nn-host GRAPH-FOLDER GUEST-FOLDER GUEST.wasm [ARGUMENT]...");
        exit(2);
    }
    if let Err(error) = run(&arguments[0], &arguments[1], &arguments[2..]) {
        if let Some(end) = error.downcast_ref::<I32Exit>() {
            exit(end.0);
        }
        eprintln!("interop-nn-host: {error:?}");
        exit(134);
    }
}
