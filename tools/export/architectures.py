"""Small models with random weights of the architectures that browsers run, as their usual exporter writes them.

ARCHITECTURES maps a name to an entry: the configuration, the task of the exporter and what the files are converted with.
"""
import dataclasses

import transformers as t

TEXT = {"vocab_size": 300, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
        "max_position_embeddings": 64}
VISION = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "image_size": 32, "patch_size": 8}
DECODER = TEXT | {"num_key_value_heads": 2}
SEQ2SEQ = {"vocab_size": 300, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
           "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64}


@dataclasses.dataclass(frozen=True)
class Entry:
    model: type
    config: object
    task: str
    group: str


def entry(group, task, model, config, **values):
    return Entry(model, lambda: config(**values), task, group)


def text(model, config, task="feature-extraction", **values):
    return entry("text encoder", task, model, config, **(TEXT | values))


def decoder(model, config, **values):
    return entry("decoder", "text-generation-with-past", model, config, **(DECODER | values))


def seq2seq(model, config, **values):
    return entry("encoder-decoder", "text2text-generation-with-past", model, config, **(SEQ2SEQ | values))


def vision(model, config, task="image-classification", **values):
    return entry("vision", task, model, config, **(VISION | values))


def clip_towers():
    return {"text_config": TEXT | {"projection_dim": 16}, "vision_config": VISION | {"projection_dim": 16}, "projection_dim": 16}


ARCHITECTURES = {
    "bert": text(t.BertModel, t.BertConfig),
    "distilbert": entry("text encoder", "question-answering", t.DistilBertForQuestionAnswering, t.DistilBertConfig, vocab_size=300,
                        dim=32, n_layers=2, n_heads=4, hidden_dim=64, max_position_embeddings=64),
    "roberta": text(t.RobertaForSequenceClassification, t.RobertaConfig, "text-classification"),
    "xlm_roberta": text(t.XLMRobertaForTokenClassification, t.XLMRobertaConfig, "token-classification"),
    "mpnet": text(t.MPNetModel, t.MPNetConfig),
    "electra": text(t.ElectraForSequenceClassification, t.ElectraConfig, "text-classification", embedding_size=16),
    "roformer": text(t.RoFormerForMaskedLM, t.RoFormerConfig, "fill-mask", embedding_size=16),
    "albert": text(t.AlbertModel, t.AlbertConfig, embedding_size=16),
    "deberta_v2": text(t.DebertaV2ForSequenceClassification, t.DebertaV2Config, "text-classification", relative_attention=True,
                       pos_att_type=["c2p", "p2c"], position_buckets=16),
    "modernbert": text(t.ModernBertForMaskedLM, t.ModernBertConfig, "fill-mask", pad_token_id=0),
    "llama": decoder(t.LlamaForCausalLM, t.LlamaConfig),
    "qwen2": decoder(t.Qwen2ForCausalLM, t.Qwen2Config),
    "mistral": decoder(t.MistralForCausalLM, t.MistralConfig),
    "phi": decoder(t.PhiForCausalLM, t.PhiConfig, num_key_value_heads=4),
    "gemma": decoder(t.GemmaForCausalLM, t.GemmaConfig, head_dim=8),
    "gpt2": entry("decoder", "text-generation-with-past", t.GPT2LMHeadModel, t.GPT2Config, vocab_size=300, n_embd=32, n_layer=2,
                  n_head=4, n_positions=64),
    "gpt_neox": decoder(t.GPTNeoXForCausalLM, t.GPTNeoXConfig),
    "bloom": entry("decoder", "text-generation-with-past", t.BloomForCausalLM, t.BloomConfig, vocab_size=300, hidden_size=32, n_layer=2,
                   n_head=4),
    "opt": entry("decoder", "text-generation-with-past", t.OPTForCausalLM, t.OPTConfig, vocab_size=300, hidden_size=32,
                 num_hidden_layers=2, num_attention_heads=4, ffn_dim=64, max_position_embeddings=64, word_embed_proj_dim=32),
    "t5": entry("encoder-decoder", "text2text-generation-with-past", t.T5ForConditionalGeneration, t.T5Config, vocab_size=300, d_model=32,
                d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0),
    "bart": seq2seq(t.BartForConditionalGeneration, t.BartConfig),
    "marian": seq2seq(t.MarianMTModel, t.MarianConfig, pad_token_id=0, decoder_start_token_id=0),
    "m2m100": seq2seq(t.M2M100ForConditionalGeneration, t.M2M100Config),
    "whisper": entry("speech", "automatic-speech-recognition-with-past", t.WhisperForConditionalGeneration, t.WhisperConfig,
                     **(SEQ2SEQ | {"num_mel_bins": 80, "max_source_positions": 1500, "max_target_positions": 64, "pad_token_id": 0,
                                   "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1})),
    "wav2vec2": entry("speech", "audio-classification", t.Wav2Vec2ForSequenceClassification, t.Wav2Vec2Config, vocab_size=40, hidden_size=32,
                      num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, conv_dim=(16, 16), conv_kernel=(10, 3),
                      conv_stride=(5, 2), num_feat_extract_layers=2, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4),
    "clip": entry("text and vision", "zero-shot-image-classification", t.CLIPModel, t.CLIPConfig, **clip_towers()),
    "siglip": entry("text and vision", "zero-shot-image-classification", t.SiglipModel, t.SiglipConfig,
                    text_config=TEXT, vision_config=VISION),
    "vit": vision(t.ViTForImageClassification, t.ViTConfig),
    "deit": vision(t.DeiTForImageClassification, t.DeiTConfig),
    "dinov2": vision(t.Dinov2ForImageClassification, t.Dinov2Config),
    "swin": entry("vision", "image-classification", t.SwinForImageClassification, t.SwinConfig, image_size=32, patch_size=2, embed_dim=16,
                  depths=(1, 1), num_heads=(2, 4), window_size=4),
    "convnext": entry("vision", "image-classification", t.ConvNextForImageClassification, t.ConvNextConfig, hidden_sizes=(8, 16, 24, 32),
                      depths=(1, 1, 1, 1), image_size=32),
    "mobilevit": entry("vision", "image-classification", t.MobileViTForImageClassification, t.MobileViTConfig, image_size=64,
                       hidden_sizes=(16, 24, 32), neck_hidden_sizes=(8, 12, 16, 20, 24, 28, 32)),
    "segformer": entry("vision", "semantic-segmentation", t.SegformerForSemanticSegmentation, t.SegformerConfig, depths=(1, 1, 1, 1),
                       hidden_sizes=(8, 16, 24, 32), num_attention_heads=(1, 2, 3, 4), decoder_hidden_size=16),
    "yolos": vision(t.YolosForObjectDetection, t.YolosConfig, "object-detection", image_size=(32, 32), num_detection_tokens=5),
    "detr": entry("vision", "object-detection", t.DetrForObjectDetection, t.DetrConfig, use_timm_backbone=False, use_pretrained_backbone=False,
                  backbone=None, backbone_config=t.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1],
                                                                layer_type="basic", out_features=["stage4"]),
                  d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4, decoder_attention_heads=4,
                  encoder_ffn_dim=64, decoder_ffn_dim=64, num_queries=5),
    "resnet": entry("vision", "image-classification", t.ResNetForImageClassification, t.ResNetConfig, embedding_size=8,
                    hidden_sizes=(8, 16, 24, 32), depths=(1, 1, 1, 1), layer_type="basic"),
    "patchtst": entry("time series", "feature-extraction", t.PatchTSTModel, t.PatchTSTConfig, num_input_channels=2, context_length=32,
                      patch_length=8, patch_stride=8, d_model=16, num_attention_heads=2, num_hidden_layers=1, ffn_dim=32),
}
