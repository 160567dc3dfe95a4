/* com.microsoft: operators that no WebNN graph can hold, and what helps. */
#include "lower/row.h"

#define SPARSITY \
    "attention with data-dependent sparsity or paging; export with GroupQueryAttention or Attention"
#define TILES   "GPU tile layout; re-quantise with QDQ"
#define PACKING "engine-specific packing; export with MatMulNBits or plain weights"
#define DECODER "decoder-runtime operator; export the operators that it stands for"
#define GENERATION \
    "generation loop; convert its body: --subgraph decoder (or encoder, init_decoder)"
#define COMPILED      "holds a compiled blob of one engine; convert the original model"
#define NO_FORM(what) "not expressible in WebNN: " what

#define REFUSED(op, why)                                     \
    {                                                        \
        MICROSOFT(op), .class = CLASS_REFUSED, .reason = why \
    }

const struct onnx_row microsoft_refused_rows[] = {
    REFUSED("LongformerAttention", SPARSITY),
    REFUSED("DynamicSparseAttention", SPARSITY),
    REFUSED("SparseAttentionIndexer", SPARSITY),
    REFUSED("PackedSparseAttentionIndexer", SPARSITY),
    REFUSED("PackedSparseAttentionIndexerMerge", SPARSITY),
    REFUSED("PagedAttention", SPARSITY),
    REFUSED("SparsePagedAttention", SPARSITY),
    REFUSED("QOrderedAttention", TILES),
    REFUSED("QOrderedMatMul", TILES),
    REFUSED("QOrderedGelu", TILES),
    REFUSED("QOrderedLayerNormalization", TILES),
    REFUSED("QOrderedLongformerAttention", TILES),
    REFUSED("QuantizeWithOrder", TILES),
    REFUSED("DequantizeWithOrder", TILES),
    REFUSED("RMSNormRotary", "numerics of CUDA alone; re-export without fusion"),
    REFUSED("MaxpoolWithMask", "internal to ONNX Runtime; export MaxPool"),
    REFUSED("MatMulFpQ4", "opaque packed blob; re-quantise with MatMulNBits"),
    REFUSED("MatMulPacked", PACKING),
    REFUSED("GatherPacked", PACKING),
    REFUSED("QuantizeBFP", "block floating point; re-quantise with QDQ"),
    REFUSED("DequantizeBFP", "block floating point; re-quantise with QDQ"),
    REFUSED("MoEPacked", "engine-specific; export with MoE or QMoE"),
    REFUSED("MoEGroupRouter", "engine-specific; export the router as operators of its own"),
    REFUSED("RouterGateUpProj", "engine-specific; export with MoE or QMoE"),
    REFUSED("ConvStateReplay", DECODER),
    REFUSED("GatedDeltaNet", DECODER),
    REFUSED("GatedDeltaNetStateReplay", DECODER),
    REFUSED("Mamba2Verify", DECODER),
    REFUSED("VarlenCausalConvWithState", DECODER),
    REFUSED("VarlenNGramHashMapping", DECODER),
    REFUSED("HyperConnectionPreMix", DECODER),
    REFUSED("HyperConnectionPostMix", DECODER),
    REFUSED("HyperConnectionLowRankMix", DECODER),
    REFUSED("EngramGate", DECODER),
    REFUSED("SpeculativePrefixCommit", DECODER),
    REFUSED("NGramHashMapping", DECODER),
    REFUSED("NGramRepeatBlock", NO_FORM("it bans repeated n-grams from scores of any length")),
    REFUSED("DynamicTimeWarping", NO_FORM("it walks back a path whose length depends on data")),
    REFUSED("BifurcationDetector", NO_FORM("it compares sequences of lengths that depend on data")),
    REFUSED("MurmurHash3", NO_FORM("it hashes integers and strings")),
    REFUSED("Tokenizer", NO_FORM("it splits strings; move text processing out of the model")),
    REFUSED("WordConvEmbedding", NO_FORM("it convolves over characters of words")),
    REFUSED("AttnLSTM",
            NO_FORM("it attends inside of a recurrent cell; export LSTM and Attention")),
    REFUSED("SampleOp", NO_FORM("it is an example without meaning")),
    REFUSED("BeamSearch", GENERATION),
    REFUSED("WhisperBeamSearch", GENERATION),
    REFUSED("GreedySearch", GENERATION),
    REFUSED("Sampling", GENERATION),
    REFUSED("EPContext", COMPILED),
    REFUSED("Snpe", COMPILED),
};
ROW_COUNT(microsoft_refused);
