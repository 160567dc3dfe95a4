/* Proving a graph: the same feeds through the graph on a backend and the model on native ONNX
 * Runtime, every output compared. docs/validation.md */
#ifndef ONNX2WEBNN_VALIDATE_H
#define ONNX2WEBNN_VALIDATE_H

#include <onnx2webnn/convert.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum o2w_reference_optimization {
    O2W_REFERENCE_NONE,
    O2W_REFERENCE_BASIC,
    O2W_REFERENCE_EXTENDED,
    O2W_REFERENCE_ALL
} o2w_reference_optimization;

typedef struct o2w_tolerance {
    const char *data_type;
    double absolute, relative;
} o2w_tolerance;

typedef struct o2w_validate_options {
    size_t size;
    const char *backend; /* required */
    const webnn_option *backend_options;
    size_t backend_option_count;
    bool require_backend;
    unsigned threads;
    const char *weights;
    const char *input; /* safetensors archive of all feeds; NULL: deterministic ones */
    const o2w_dim *dims;
    size_t dim_count;
    const o2w_pin *pins;
    size_t pin_count;
    const uint64_t *seeds; /* one more run with random feeds for each; none may be 0 */
    size_t seed_count;
    const o2w_tolerance *tolerances;
    size_t tolerance_count;
    o2w_reference_optimization reference_optimization;
    bool strict_reference, ignore_record;
    const char *save_feeds, *save_outputs;
    const o2w_environment *environment;
} o2w_validate_options;

typedef struct o2w_report o2w_report;

/* While an engine works, the environment's progress is called from a thread of the library, never at
 * the same time as from the caller's. */

/* Compares the graph at `webnn` (NULL: the cache entry of the model) with the model. A mismatch is a
 * report, not an error; what keeps a comparison from being made is an error. */
O2W_API o2w_status o2w_validate(const char *onnx, const char *webnn,
                                const o2w_validate_options *options, o2w_report **out,
                                o2w_error **error);
O2W_API bool o2w_report_passed(const o2w_report *report);
/* The forms that the command prints; live as long as the report. */
O2W_API const char *o2w_report_text(const o2w_report *report);
O2W_API const char *o2w_report_json(
    const o2w_report *report); /* members of the document, as one object */
/* Milliseconds of each stage that ran: its name, or NULL outside. */
O2W_API size_t o2w_report_time_count(const o2w_report *report);
O2W_API const char *o2w_report_time(const o2w_report *report, size_t index, double *ms);
/* Warnings and notes, and compare.mismatch when it failed; NULL when there are none. */
O2W_API const o2w_error *o2w_report_diagnostics(const o2w_report *report);
O2W_API void o2w_report_free(o2w_report *report);

/* --- Feeds and reference runs ---------------------------------------------------------------------- */

/* Named tensors in host memory. `type` is the long name of a dtype of ONNX or WebNN; 4-bit ones have
 * two elements per byte, the first in the low half. Results of a reference may also be "string" (data
 * is an array of `const char *`), and "sequence", "map", "optional" without data. */
typedef struct o2w_tensors o2w_tensors;
typedef struct o2w_tensor_view {
    const char *name, *type;
    uint32_t rank;
    int64_t dims[WEBNN_MAX_RANK];
    const void *data;
    uint64_t bytes;
} o2w_tensor_view;

O2W_API o2w_status o2w_tensors_create(const o2w_environment *environment, o2w_tensors **out,
                                      o2w_error **error);
/* Copies the elements. A name that is there already is O2W_INVALID_ARGUMENT. */
O2W_API o2w_status o2w_tensors_add(o2w_tensors *t, const o2w_tensor_view *tensor,
                                   o2w_error **error);
O2W_API size_t o2w_tensors_count(const o2w_tensors *t);
O2W_API bool o2w_tensors_at(const o2w_tensors *t, size_t index, o2w_tensor_view *out);
O2W_API void o2w_tensors_free(o2w_tensors *t);
/* Adds those of FILE.safetensors, NAME=FILE.npy (at the last '='), or a folder of NAME.npy. */
O2W_API o2w_status o2w_tensors_read(o2w_tensors *t, const char *spec, o2w_error **error);
/* To FILE.safetensors, or to a folder (made) as NAME.npy: bytes / % \ and controls of a name as %XX. */
O2W_API o2w_status o2w_tensors_write(const o2w_tensors *t, const char *spec, o2w_error **error);

/* Element `index` of a tensor of numbers with the fewest digits that read back as the same value of
 * its type: "0.1", "-7", "NaN", "Infinity"; a string as it is, cut at its room. */
enum { O2W_ELEMENT_TEXT = 64 };
O2W_API void o2w_tensor_text(const o2w_tensor_view *tensor, uint64_t index,
                             char text[O2W_ELEMENT_TEXT]);
/* What a tensor of numbers holds. With a NaN among them the mean is NaN, and with no element too;
 * least and most are then 0. */
typedef struct o2w_tensor_summary {
    uint64_t count, least, most; /* indices of the first least and first greatest element */
    double mean;
    bool has_nan;
} o2w_tensor_summary;
O2W_API bool o2w_tensor_summarize(const o2w_tensor_view *tensor, o2w_tensor_summary *out);

/* Feeds of a model's inputs: deterministic (seed 0) or random. Of the options dims, pins and
 * environment are used. */
O2W_API o2w_status o2w_feeds_make(const char *onnx, const o2w_validate_options *options,
                                  uint64_t seed, o2w_tensors **out, o2w_error **error);
/* Archives (.safetensors) of feeds. */
O2W_API o2w_status o2w_feeds_load(const char *archive, o2w_tensors **out, o2w_error **error);
O2W_API o2w_status o2w_feeds_save(const o2w_tensors *feeds, const char *archive, o2w_error **error);
/* The model on native ONNX Runtime (CPU), external data beside the path. Inputs that `feeds` does not
 * have (it may be NULL) get deterministic feeds. Of the options dims, pins, threads,
 * reference_optimization and environment are used. */
O2W_API o2w_status o2w_reference_run(const char *onnx, const o2w_tensors *feeds,
                                     const o2w_validate_options *options, o2w_tensors **out,
                                     o2w_error **error);

/* Runs a graph or model file (a model is converted in memory first). */
typedef struct o2w_run_options {
    size_t size;
    const char *backend; /* NULL: "cpu" */
    const webnn_option *backend_options;
    size_t backend_option_count;
    bool require_backend;
    bool reference; /* a model, unconverted, on ONNX Runtime with its own default options */
    unsigned threads;
    const char *weights;
    const o2w_convert_options *convert; /* for models; of graphs it sizes open dims */
    const o2w_tensors *feeds;           /* what is missing gets deterministic feeds */
    uint64_t seed;
    uint32_t repeat, warmup; /* timed runs (0: 1), untimed before */
    const o2w_environment *environment;
    const char
        *output; /* the spec that o2w_tensors_write will get: file.write, before anything runs,
                         * where a file of it is one that is read; NULL: not checked */
} o2w_run_options;

typedef struct o2w_run o2w_run;
O2W_API o2w_status o2w_run_file(const char *path, const o2w_run_options *options, o2w_run **out,
                                o2w_error **error);
O2W_API const o2w_tensors *o2w_run_inputs(const o2w_run *run);
O2W_API const o2w_tensors *o2w_run_outputs(const o2w_run *run);
/* Names of inputs that got deterministic or random feeds. */
O2W_API size_t o2w_run_made_count(const o2w_run *run);
O2W_API const char *o2w_run_made(const o2w_run *run, size_t index);
/* Milliseconds: "load", "compile", "first"; and of timed run `index`. */
O2W_API double o2w_run_stage_ms(const o2w_run *run, const char *stage);
O2W_API size_t o2w_run_count(const o2w_run *run);
O2W_API double o2w_run_ms(const o2w_run *run, size_t index);
O2W_API const char *o2w_run_backend(const o2w_run *run); /* "cpu"; NULL with `reference` */
/* The class name of an element of output `output`: of the value of an integer output, of the column of
 * a score output. NULL: the output has no class names, or not this one. */
O2W_API bool o2w_run_has_labels(const o2w_run *run, size_t output);
O2W_API const char *o2w_run_label(const o2w_run *run, size_t output, uint64_t element);
O2W_API const o2w_error *o2w_run_diagnostics(const o2w_run *run); /* warnings, notes; NULL: none */
O2W_API void o2w_run_free(o2w_run *run);

/* --- Manifests: many published models, converted and proven ------------------------------------------ */

/* A manifest names files of the model hub with dimensions and pins: docs/sweeps.md. `path` NULL: that of
 * O2W_MANIFEST, else the installed one. manifest.field, manifest.duplicate, path.unsafe with line and column. */
typedef struct o2w_manifest o2w_manifest;
O2W_API o2w_status o2w_manifest_read(const char *path, const o2w_environment *environment,
                                     o2w_manifest **out, o2w_error **error);
O2W_API void o2w_manifest_free(o2w_manifest *m);
O2W_API size_t o2w_manifest_count(const o2w_manifest *m);
O2W_API const char *o2w_manifest_label(const o2w_manifest *m, size_t index); /* NULL outside */
O2W_API bool o2w_manifest_selected(const o2w_manifest *m, size_t index);

typedef struct o2w_selection {
    size_t size;
    const char *match;      /* part of the label; NULL: all */
    unsigned shard, shards; /* the shard-th of `shards` parts; 0: 1 of 1 */
    bool skip_heavy;
} o2w_selection;

/* Before it nothing is selected. manifest.selection: nothing is. */
O2W_API o2w_status o2w_manifest_select(o2w_manifest *m, const o2w_selection *selection,
                                       o2w_error **error);

/* How the selected ones run. Zero is every default. */
typedef struct o2w_sweep_options {
    size_t size;
    const o2w_validate_options
        *validate; /* backend …, tolerances, seeds; paths, dims and pins are not used */
    bool constant_folding, offline, refresh, resume, fail_fast;
    unsigned jobs, download_jobs; /* 0: 1, 4 */
    uint64_t memory_limit; /* bytes of all running cases; 0: 80 % of what the process may use */
    unsigned case_timeout; /* seconds; 0: none */
    const char *results;   /* folder of result records; NULL: <WebNN cache>/results */
    const char *expected_failures; /* JSON object label → reason; NULL: none */
    const char
        *program; /* that runs a case when it is started with the argument "case": the command */
    /* Told once for each finished case, "ok   LABEL (12.3 s)", and for each warning. May be NULL. */
    void (*say)(void *user, o2w_severity severity, const char *line);
    void *user;
} o2w_sweep_options;

typedef struct o2w_summary o2w_summary;

/* A failed model is a result in the summary; a missing engine, cache or record is an error. When the environment's
 * progress says stop, the summary has what is finished. */
O2W_API o2w_status o2w_manifest_run(const o2w_manifest *m, const o2w_sweep_options *options,
                                    o2w_summary **out, o2w_error **error);
/* The summary of records of earlier runs; the newest of a case counts, a case without one failed.
 * `backend` NULL: that of the records. manifest.record: one cannot be read. */
O2W_API o2w_status o2w_manifest_merge(const o2w_manifest *m, const char *const *folders,
                                      size_t count, const char *backend, o2w_summary **out,
                                      o2w_error **error);
O2W_API bool o2w_summary_passed(const o2w_summary *s);
O2W_API size_t o2w_summary_interrupted(const o2w_summary *s); /* cases that a stop left out */
/* The forms that the command prints; they live as long as the summary. NULL when memory is out. */
O2W_API const char *o2w_summary_text(o2w_summary *s);
O2W_API const char *o2w_summary_json(o2w_summary *s); /* members, as one object */
/* What changed since an earlier document of `validate-manifest --json`. */
O2W_API o2w_status o2w_summary_compare(o2w_summary *s, const char *baseline, const char **text,
                                       o2w_error **error);
O2W_API o2w_status o2w_summary_write_junit(o2w_summary *s, const char *path, o2w_error **error);
O2W_API void o2w_summary_free(o2w_summary *s);

/* What a program does that was started with the argument "case": runs the case that stands on standard input.
 * Returns the exit status. */
O2W_API int o2w_case_main(const o2w_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
