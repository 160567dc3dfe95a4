/* examples/generate decodes as native ONNX Runtime does, token by token. */
#include "decoders.h"
#include "operators/native.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 12, PROMPT = 3 };

static const int64_t prompt[PROMPT] = { 5, 17, 2 };

struct decoder_case {
    const char *name, *total; /* total NULL: the merged one */
    const char *backend;
};

static const struct decoder_case cases[] = {
    { "grouped", "past_sequence_length+sequence_length", "cpu" },
    { "grouped", "past_sequence_length+sequence_length", "onnx" },
    { "a total of its own", "total_sequence_length", "cpu" },
    { "a total of its own", "total_sequence_length", "onnx" },
    { "merged", NULL, "cpu" },
    { "merged", NULL, "onnx" },
};

/* --- native ------------------------------------------------------------------------------------------ */

static struct tensor new_tensor(struct model_run *r, enum dtype dtype, const int64_t *dims,
                                uint32_t rank)
{
    struct tensor t = { 0 };
    if (tensor_new(&r->arena, dtype, dims, rank, &t) != O2W_OK)
        abort();
    return t;
}

static void feed(struct model_run *r, struct model_feed *feeds, const char *name, struct tensor t)
{
    feeds[r->feed_count++] = (struct model_feed){ span_of(name), t };
}

static void feed_numbers(struct model_run *r, struct model_feed *feeds, const char *name,
                         const int64_t *numbers, int64_t count)
{
    struct tensor t = new_tensor(r, DTYPE_INT64, (const int64_t[]){ 1, count }, 2);
    for (int64_t i = 0; i < count; i++)
        ((int64_t *)t.data)[i] = numbers ? numbers[i] : 1;
    feed(r, feeds, name, t);
}

static int64_t best_of_last(const struct tensor *logits)
{
    const float *row = (const float *)logits->data + (logits->dims[1] - 1) * VOCABULARY;
    int64_t best = 0;
    for (int64_t i = 1; i < VOCABULARY; i++)
        best = row[i] > row[best] ? i : best;
    return best;
}

/* One run: outputs are logits, key, value. */
static bool native_step(struct model_run *r, const struct decoder_case *c, struct span model,
                        const int64_t *tokens, int64_t count, int64_t past, struct tensor *out)
{
    struct model_feed feeds[8];
    int64_t heads = c->total ? 1 : 2;
    struct tensor key = out[1], value_ = out[2];
    r->feed_count = 0;
    r->feeds = feeds;
    if (past == 0)
        key = value_ = new_tensor(r, DTYPE_FLOAT32, (const int64_t[]){ 1, heads, 0, HEAD }, 4);
    feed_numbers(r, feeds, "input_ids", tokens, count);
    if (c->total)
        feed_numbers(r, feeds, "attention_mask", NULL, past + count);
    feed(r, feeds, "past_key_values.0.key", key);
    feed(r, feeds, "past_key_values.0.value", value_);
    if (!c->total) {
        struct tensor flag = new_tensor(r, DTYPE_BOOL, (const int64_t[]){ 1 }, 1);
        ((uint8_t *)flag.data)[0] = past > 0;
        feed(r, feeds, "use_cache_branch", flag);
    }
    return native_run(r, model, 3, out) == O2W_OK;
}

static bool native_tokens(const struct decoder_case *c, struct span model, char *text, size_t size)
{
    struct model_run r;
    struct tensor out[3] = { 0 };
    int64_t next = 0, past = 0;
    size_t used = 0;
    bool good = true;
    model_run_init(&r);
    for (int i = 0; good && i < STEPS; i++) {
        int64_t count = i ? 1 : PROMPT;
        const int64_t token = next;
        good = native_step(&r, c, model, i ? &token : prompt, count, past, out);
        if (good)
            next = best_of_last(&out[0]);
        past += count;
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? " " : "", (long long)next);
    }
    if (!good && r.diags.newest)
        printf("native: %s\n", r.diags.newest->message);
    model_run_free(&r);
    return good;
}

/* --- the example --------------------------------------------------------------------------------------- */

static bool example_tokens(const struct decoder_case *c, const char *folder, char *text,
                           size_t size)
{
    char command[1000];
    snprintf(command, sizeof command,
             O2W_BIN "/example-generate --backend %s %s %s/model.onnx %s %d %lld %lld %lld",
             c->backend, c->total ? "" : "--merged", folder, folder, STEPS, (long long)prompt[0],
             (long long)prompt[1], (long long)prompt[2]);
    FILE *f = popen(command, "r");
    bool good = f && fgets(text, (int)size, f);
    text[strcspn(text, "\n")] = 0;
    return f && pclose(f) == 0 && good;
}

/* One archive beside both graphs, and nothing else of theirs: the model, two graphs, the weights. */
static bool shares_weights(const struct temp_folder *folder)
{
    return access(temp_path(folder, "model.safetensors"), R_OK) == 0 && temp_count(folder) == 4;
}

static bool one_case(const struct decoder_case *c)
{
    struct model_builder b = { 0 };
    struct temp_folder folder;
    char want[400] = "", got[400] = "";
    struct span model = c->total ? decoder_grouped(&b, c->total) : decoder_merged(&b);
    temp_folder_create(&folder);
    temp_write(&folder, "model.onnx", model.data, model.size);
    bool good = native_tokens(c, model, want, sizeof want) &&
                example_tokens(c, folder.path, got, sizeof got) && strcmp(want, got) == 0 &&
                shares_weights(&folder);
    if (!good)
        printf("FAIL %s on %s: got '%s', must be '%s'\n", c->name, c->backend, got, want);
    temp_folder_remove(&folder);
    mb_free(&b);
    return good;
}

int main(void)
{
    unsigned passed = 0, failed = 0, count = sizeof cases / sizeof *cases;
    if (!native_present()) {
        printf("SKIP: ONNX Runtime is missing, which the tokens are compared with\n");
        printf("0 passed, 0 failed, %u skipped\n", count);
        return 0;
    }
    for (unsigned i = 0; i < count; i++)
        *(one_case(&cases[i]) ? &passed : &failed) += 1;
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
