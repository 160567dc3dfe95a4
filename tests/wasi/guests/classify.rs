// Classifies the bytes 0 1 2 9 by the graph `bytes`: the class and its score. A second language, with the imports
// declared by hand, and the numbering `2022` of tensor types, in which u8 is 2.
#[link(wasm_import_module = "wasi_ephemeral_nn")]
extern "C" {
    fn load_by_name(name: *const u8, size: u32, graph: *mut u32) -> u32;
    fn init_execution_context(graph: u32, context: *mut u32) -> u32;
    fn set_input(context: u32, index: u32, tensor: *const Tensor) -> u32;
    fn compute(context: u32) -> u32;
    fn get_output(context: u32, index: u32, buffer: *mut u8, room: u32, size: *mut u32) -> u32;
}

#[repr(C)]
struct Tensor {
    dims: *const u32,
    rank: u32,
    kind: u8,
    data: *const u8,
    size: u32,
}

const U8: u8 = 2;

fn check(what: &str, errno: u32) {
    if errno != 0 {
        eprintln!("{}: errno {}", what, errno);
        std::process::exit(errno as i32);
    }
}

fn scores(pixels: &[u8]) -> Vec<f32> {
    let name = "bytes";
    let dims = [1u32, pixels.len() as u32];
    let tensor = Tensor {
        dims: dims.as_ptr(),
        rank: dims.len() as u32,
        kind: U8,
        data: pixels.as_ptr(),
        size: pixels.len() as u32,
    };
    let mut out = [0f32; 16];
    let (mut graph, mut context, mut size) = (0u32, 0u32, 0u32);
    unsafe {
        check("load_by_name", load_by_name(name.as_ptr(), name.len() as u32, &mut graph));
        check("init_execution_context", init_execution_context(graph, &mut context));
        check("set_input", set_input(context, 0, &tensor));
        check("compute", compute(context));
        check(
            "get_output",
            get_output(context, 0, out.as_mut_ptr() as *mut u8, 64, &mut size),
        );
    }
    out[..size as usize / 4].to_vec()
}

fn main() {
    let scores = scores(&[0, 1, 2, 9]);
    let mut best = 0;
    for (class, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = class;
        }
    }
    println!("class {} of {}: {}", best, scores.len(), scores[best]);
}
