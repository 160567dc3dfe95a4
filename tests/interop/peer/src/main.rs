//! Files as rustnn writes them.
//!
//!   interop-peer rewrite IN OUT   loads a graph file and writes it again: OUT.webnn with OUT.safetensors beside
//!                                 it, or OUT.json with the weights inside
//!   interop-peer build OUT        records a graph with rustnn's builder and saves it with rustnn's saver

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use rustnn::mlcontext::{MLGraphBuilder, MLNamedOperands, MLOperandDescriptor};
use rustnn::operator_enums::MLOperandDataType::{self, Float32, Uint4};
use rustnn::operator_options::{MLConv2dOptions, MLDimension, MLSplitOptions, MLUnsqueezeOptions};
use webnn_graph::ast::ConstInit;
use webnn_graph::serialize::{SerializeOptions, serialize_graph_to_wg_text};

type Outcome = Result<(), Box<dyn Error>>;

fn rewrite(from: &Path, to: &Path) -> Outcome {
    let graph = rustnn::load_graph_from_path(from)?;
    let mut json = rustnn::webnn_json::to_graph_json(&graph, graph.quantized)?;
    if to.extension().is_some_and(|e| e == "json") {
        std::fs::write(to, serde_json::to_string_pretty(&json)?)?;
        return Ok(());
    }
    let mut bytes: HashMap<String, Vec<u8>> = HashMap::new();
    for (name, constant) in &mut json.consts {
        let reference = ConstInit::Weights { r#ref: name.clone() };
        if let ConstInit::InlineBytes { bytes: inline } = std::mem::replace(&mut constant.init, reference) {
            bytes.insert(name.clone(), inline);
        }
    }
    let views = bytes.iter().map(|(name, b)| (name.clone(), b.as_slice())).collect();
    webnn_graph::write_external_weights_safetensors(&json, &views, &to.with_extension("safetensors"))?;
    let options = SerializeOptions { quantized: json.quantized };
    std::fs::write(to, serialize_graph_to_wg_text(&json, options)?)?;
    Ok(())
}

fn shape(dims: &[u32]) -> Vec<MLDimension> {
    dims.iter().map(|&d| MLDimension::Static(d)).collect()
}

fn describe(dtype: MLOperandDataType, dims: &[u64]) -> MLOperandDescriptor {
    MLOperandDescriptor::new(dtype, dims.to_vec())
}

/// Values in [-1, 1) that float32 holds exactly.
fn wave(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + 11) % 64) as f32 / 32.0 - 1.0).collect()
}

/// A convolution with a bias operand, pooling over the whole plane, 4-bit weights, lists of results: what rustnn
/// spells differently from the standard.
fn build(to: &Path) -> Outcome {
    let mut b = MLGraphBuilder::new_uncompiled();
    let x = b.input("x", &describe(Float32, &[1, 3, 8, 8]))?;
    let filter = b.constant_from_slice(&describe(Float32, &[8, 3, 3, 3]), &wave(216))?;
    let bias = b.constant_from_slice(&describe(Float32, &[8]), &wave(8))?;
    let conv = b.conv2d_with_options(x, filter, MLConv2dOptions {
        padding: vec![1, 1, 1, 1],
        strides: vec![2, 2],
        bias: Some(bias.rustnn_index()),
        ..Default::default()
    })?;
    let active = b.relu(conv)?;
    let pooled = b.global_average_pool(active)?;
    let row = b.reshape(pooled, shape(&[1, 8]))?;
    let nibbles = (0..24u8).map(|i| i * 11).collect();
    let packed = b.constant_from_bytes(&describe(Uint4, &[8, 6]), nibbles)?;
    let scale = b.constant_from_slice(&describe(Float32, &[8, 1]), &[0.125f32; 8])?;
    let middle = b.constant_from_bytes(&describe(Uint4, &[8, 1]), vec![0x98, 0x87, 0x78, 0x89])?;
    let weights = b.dequantize_linear_with_zeropoint(packed, scale, middle)?;
    let product = b.matmul(row, weights)?;
    let parts = b.split_with_options(product, &[2, 4], MLSplitOptions { axis: 1, ..Default::default() })?;
    let probabilities = b.softmax(parts[1], 1)?;
    let column = b.unsqueeze_with_options(parts[0], MLUnsqueezeOptions { axes: vec![2], ..Default::default() })?;
    let outputs = MLNamedOperands::from([("probabilities", probabilities), ("column", column)]);
    b.rustnn_save_webnn(&outputs, to)?;
    Ok(())
}

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["rewrite", from, to] => rewrite(Path::new(from), Path::new(to)),
        ["build", to] => build(Path::new(to)),
        _ => Err("usage: interop-peer rewrite IN OUT | interop-peer build OUT".into()),
    }
}
