/* Every slot of every operator against the limits: what the row says is accepted, nothing else. */
#include "support/test.h"
#include "webnn/infer.h"

#include <stdio.h>
#include <string.h>

enum { MAX_OPERANDS = 8 };

/* A call of an operator with operands of ones that its rule accepts. */
struct trial {
    enum webnn_operator kind;
    const struct operator_row *row;
    struct descriptor operands[MAX_OPERANDS];
    uint8_t attributes[1024] __attribute__((aligned(16)));
};

static bool is_in(enum webnn_operator kind, const enum webnn_operator *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == kind)
            return true;
    return false;
}

static struct descriptor ones(enum dtype dtype, uint32_t rank)
{
    struct descriptor d = { .dtype = dtype, .rank = rank };
    for (uint32_t i = 0; i < rank; i++)
        d.dims[i] = 1;
    return d;
}

static enum dtype first_of(dtype_set set)
{
    unsigned t = 0;
    while (!dtype_in((enum dtype)t, set))
        t++;
    return (enum dtype)t;
}

static uint32_t root_of(const struct operator_row *row, uint32_t slot)
{
    while (row->operands[slot].same_dtype_as >= 0)
        slot = (uint32_t)row->operands[slot].same_dtype_as;
    return slot;
}

/* Attributes that have no default, for a rank. */
static void fill_attributes(struct trial *t, uint32_t rank)
{
    struct webnn_u32s *list;
    const struct operator_row *row = t->row;
    memset(t->attributes, 0, sizeof t->attributes);
    if (row->defaults != NULL)
        memcpy(t->attributes, row->defaults, row->attribute_size);
    for (uint32_t i = 0; i < row->attribute_count; i++) {
        const struct attribute_row *a = &row->attributes[i];
        void *value = t->attributes + a->offset;
        if (strcmp(a->name, "axis") == 0)
            *(uint32_t *)value = 0;
        else if (a->position > 0 && a->type == ATTRIBUTE_U32)
            *(uint32_t *)value = 1; /* steps, hiddenSize */
        else if (a->type == ATTRIBUTE_SPLITS)
            *(struct webnn_splits *)value = (struct webnn_splits){ .equal = true, .count = 1 };
        else if (a->type == ATTRIBUTE_DIMS) {
            const struct descriptor d = ones(DTYPE_FLOAT32, rank);
            struct webnn_dims *dims = value;
            *dims = (struct webnn_dims){ .given = true, .count = rank };
            memcpy(dims->items, d.dims, sizeof dims->items);
        } else if (a->position > 0 && a->type == ATTRIBUTE_U32S) {
            list = value;
            *list = (struct webnn_u32s){ .given = true, .count = rank };
            for (uint32_t k = 0; t->kind == WEBNN_TILE && k < rank; k++)
                list->items[k] = 1;
        }
    }
}

static void fill_gates(struct trial *t)
{
    int64_t gates = t->kind == WEBNN_GRU || t->kind == WEBNN_GRU_CELL ? 3 : 4;
    bool sequence = t->kind == WEBNN_GRU || t->kind == WEBNN_LSTM;
    for (uint32_t i = 1; i < t->row->operand_count; i++) {
        const char *name = t->row->operands[i].name;
        if (strstr(name, "eight") != NULL || strstr(name, "ias") != NULL)
            t->operands[i].dims[sequence ? 1 : 0] = strstr(name, "peephole") != NULL ? 3 : gates;
    }
}

/* All operands of the rank nearest to `rank` that their slots allow. */
static struct trial trial_of(enum webnn_operator kind, uint32_t rank)
{
    static const enum webnn_operator recurrent[] = { WEBNN_GRU, WEBNN_GRU_CELL, WEBNN_LSTM,
                                                     WEBNN_LSTM_CELL };
    struct trial t = { .kind = kind, .row = operator_row(kind) };
    for (uint32_t i = 0; i < t.row->operand_count; i++) {
        const struct slot_row *s = &t.row->operands[i];
        uint32_t r = rank < s->rank_min ? s->rank_min : rank > s->rank_max ? s->rank_max : rank;
        t.operands[i] = ones(first_of(t.row->operands[root_of(t.row, i)].dtypes), r);
    }
    fill_attributes(&t, t.operands[0].rank);
    if (is_in(kind, recurrent, 4))
        fill_gates(&t);
    if (kind == WEBNN_LAYER_NORMALIZATION)
        t.operands[1].rank = t.operands[2].rank = rank > 1 ? rank - 1 : 0;
    if (kind == WEBNN_GATHER)
        t.operands[1].rank = 0;
    if (kind == WEBNN_GATHER_ND || kind == WEBNN_SCATTER_ND)
        t.operands[1].rank = 1;
    if (kind == WEBNN_SCATTER_ND)
        t.operands[2].rank = t.operands[0].rank - 1;
    return t;
}

static o2w_status run(struct trial *t, const struct limits *limits, struct diags *diags)
{
    uint8_t scratch[1024] __attribute__((aligned(16)));
    struct descriptor results[4];
    const struct descriptor *operands[MAX_OPERANDS];
    for (uint32_t i = 0; i < t->row->operand_count; i++)
        operands[i] = &t->operands[i];
    struct infer in = { .kind = t->kind,
                        .limits = limits,
                        .diags = diags,
                        .operands = operands,
                        .operand_count = t->row->operand_count,
                        .attributes = t->attributes,
                        .results = results,
                        .result_capacity = 4 };
    return infer_operator(&in, scratch);
}

static void expect(struct trial *t, const struct limits *limits, bool accepted, const char *what,
                   uint32_t slot)
{
    struct diags diags;
    diags_init(&diags, NULL);
    o2w_status status = run(t, limits, &diags);
    if ((status == O2W_OK) != accepted)
        fail_msg("%s of %s: %s %u is %s: %s", limits->name, t->row->name, what, slot,
                 accepted ? "refused" : "accepted", status == O2W_OK ? "" : diags.newest->message);
    diags_free(&diags);
}

static void every_operator_takes_its_ranks_together(void **state)
{
    struct limits limits;
    (void)state;
    limits_standard(&limits);
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
        for (uint32_t rank = 0; rank <= MAX_RANK; rank++) {
            struct trial t = trial_of((enum webnn_operator)kind, rank);
            if (t.operands[0].rank == rank)
                expect(&t, &limits, true, "rank", rank);
        }
}

/* The refusal that the row's rank range asks for, said with the slot's name. */
static void rank_refusal(const struct trial *t, uint32_t slot, char text[256])
{
    const struct slot_row *s = &t->row->operands[slot];
    const char *list = s->kind == SLOT_VARIADIC ? "[0]" : "";
    int n = snprintf(text, 256, "%s: %s%s has rank %u, must be %u", t->row->name, s->name, list,
                     t->operands[slot].rank, s->rank_min);
    if (s->rank_min != s->rank_max)
        snprintf(text + n, 256 - (size_t)n, "…%u", s->rank_max);
}

static void every_slot_takes_exactly_its_ranks(void **state)
{
    struct limits limits;
    (void)state;
    limits_standard(&limits);
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
        for (uint32_t slot = 0; slot < operator_row((enum webnn_operator)kind)->operand_count;
             slot++)
            for (uint32_t rank = 0; rank <= MAX_RANK; rank++) {
                struct trial t = trial_of((enum webnn_operator)kind, 4);
                const struct slot_row *s = &t.row->operands[slot];
                struct diags diags;
                char refusal[256];
                t.operands[slot] = ones(t.operands[slot].dtype, rank);
                rank_refusal(&t, slot, refusal);
                diags_init(&diags, NULL);
                o2w_status status = run(&t, &limits, &diags);
                if (rank < s->rank_min || rank > s->rank_max)
                    assert_string_equal(status == O2W_OK ? "" : diags.newest->message, refusal);
                else
                    assert_string_not_equal(status == O2W_OK ? "" : diags.newest->message, refusal);
                diags_free(&diags);
            }
}

/* What all slots that must agree with this one take. */
static dtype_set group_dtypes(const struct limits *limits, enum webnn_operator kind, uint32_t slot)
{
    const struct operator_row *row = operator_row(kind);
    dtype_set all = UINT32_MAX;
    for (uint32_t i = 0; i < row->operand_count; i++)
        if (root_of(row, i) == root_of(row, slot))
            all &= limits->operators[kind][i].dtypes;
    return all;
}

/* A refused dtype is told with the operator, what was found, and every dtype that is allowed. */
static void expect_dtype_message(struct trial *t, const struct limits *limits, dtype_set allowed,
                                 enum dtype found)
{
    struct diags diags;
    diags_init(&diags, NULL);
    assert_int_not_equal(run(t, limits, &diags), O2W_OK);
    const char *message = diags.newest->message;
    if (strncmp(message, t->row->name, strlen(t->row->name)) != 0 ||
        !strstr(message, dtype_name(found)))
        fail_msg("no operator or found dtype: %s", message);
    for (unsigned i = 0; i < DTYPE_COUNT; i++)
        if (dtype_in((enum dtype)i, allowed) && !strstr(message, dtype_name((enum dtype)i)))
            fail_msg("%s is not named: %s", dtype_name((enum dtype)i), message);
    diags_free(&diags);
}

static void every_refused_dtype_is_told_with_what_is_allowed(void **state)
{
    struct limits limits;
    (void)state;
    limits_standard(&limits);
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        struct trial t = trial_of((enum webnn_operator)kind, 4);
        dtype_set allowed = limits.operators[kind][0].dtypes;
        for (unsigned dtype = 0; dtype < DTYPE_WEBNN_COUNT; dtype++) {
            if (dtype_in((enum dtype)dtype, allowed))
                continue;
            t.operands[0].dtype = (enum dtype)dtype;
            expect_dtype_message(&t, &limits, allowed, (enum dtype)dtype);
        }
    }
}

static void try_dtypes(const struct limits *limits, enum webnn_operator kind, uint32_t slot)
{
    for (unsigned dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        struct trial t = trial_of(kind, 4);
        uint32_t root = root_of(t.row, slot);
        dtype_set group = group_dtypes(limits, kind, slot);
        for (uint32_t i = 0; i < t.row->operand_count; i++)
            t.operands[i].dtype = root_of(t.row, i) == root
                                      ? (enum dtype)dtype
                                      : first_of(group_dtypes(limits, kind, i));
        expect(&t, limits, dtype_in((enum dtype)dtype, group), "dtype", dtype);
        if (root != slot) { /* it alone */
            t.operands[root].dtype = first_of(group);
            expect(&t, limits, t.operands[root].dtype == (enum dtype)dtype, "unequal dtype", dtype);
        }
    }
}

static void every_slot_takes_exactly_its_dtypes(void **state)
{
    struct limits limits;
    void (*const makers[])(struct limits *) = { limits_standard, limits_required, limits_own,
                                                limits_evaluation };
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        makers[i](&limits);
        limits.max_rank = MAX_RANK;
        for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
            for (uint32_t slot = 0; slot < operator_row((enum webnn_operator)kind)->operand_count;
                 slot++)
                try_dtypes(&limits, (enum webnn_operator)kind, slot);
    }
}

static void missing_operands_are_refused_and_optional_ones_are_not(void **state)
{
    struct limits limits;
    (void)state;
    limits_standard(&limits);
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
        for (uint32_t slot = 0; slot < operator_row((enum webnn_operator)kind)->operand_count;
             slot++) {
            struct trial t = trial_of((enum webnn_operator)kind, 4);
            const struct descriptor *operands[MAX_OPERANDS];
            struct descriptor results[4];
            uint8_t scratch[1024] __attribute__((aligned(16)));
            for (uint32_t i = 0; i < t.row->operand_count; i++)
                operands[i] = i == slot ? NULL : &t.operands[i];
            struct infer in = { .kind = t.kind,
                                .limits = &limits,
                                .operands = operands,
                                .operand_count = t.row->operand_count,
                                .attributes = t.attributes,
                                .results = results,
                                .result_capacity = 4 };
            assert_status(infer_operator(&in, scratch), t.row->operands[slot].kind == SLOT_OPTIONAL
                                                            ? O2W_OK
                                                            : O2W_INVALID_ARGUMENT);
        }
}

static void required_is_within_allowed(void **state)
{
    struct limits standard, required;
    (void)state;
    limits_standard(&standard);
    limits_required(&required);
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        const struct operator_row *row = operator_row((enum webnn_operator)kind);
        for (uint32_t slot = 0; slot < row->operand_count + row->result_count; slot++) {
            const struct slot_limit *a = &standard.operators[kind][slot],
                                    *r = &required.operators[kind][slot];
            assert_int_not_equal(r->dtypes, 0);
            assert_int_equal(r->dtypes & ~a->dtypes, 0);
            assert_true(r->rank_min >= a->rank_min && r->rank_max <= a->rank_max &&
                        r->rank_max <= 5);
        }
    }
}

static void packed_types_move_only_where_they_may(void **state)
{
    static const enum webnn_operator movers[] = { WEBNN_RESHAPE,   WEBNN_CONCAT, WEBNN_IDENTITY,
                                                  WEBNN_TRANSPOSE, WEBNN_SLICE,  WEBNN_SPLIT,
                                                  WEBNN_GATHER,    WEBNN_EXPAND, WEBNN_TILE };
    struct limits own, standard;
    (void)state;
    limits_own(&own);
    limits_standard(&standard);
    assert_true(own.packed_movers && !standard.packed_movers);
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        bool mover = is_in((enum webnn_operator)kind, movers, sizeof movers / sizeof *movers);
        bool dequantize = kind == WEBNN_DEQUANTIZE_LINEAR;
        assert_int_equal((own.operators[kind][0].dtypes & DTYPES_4BIT) == DTYPES_4BIT,
                         mover || dequantize);
        assert_int_equal((standard.operators[kind][0].dtypes & DTYPES_4BIT) == DTYPES_4BIT,
                         dequantize);
    }
    assert_int_equal(own.operators[WEBNN_GATHER][1].dtypes & DTYPES_4BIT, 0);
    assert_int_equal(standard.operators[WEBNN_QUANTIZE_LINEAR][3].dtypes & DTYPES_4BIT,
                     DTYPES_4BIT);
    assert_int_equal(standard.constant.dtypes, DTYPES_WEBNN);
}

static void evaluation_knows_more_types(void **state)
{
    struct limits limits;
    (void)state;
    limits_evaluation(&limits);
    assert_true(dtype_in(DTYPE_FLOAT64, limits.operators[WEBNN_MATMUL][0].dtypes));
    assert_true(dtype_in(DTYPE_BOOL, limits.operators[WEBNN_TRANSPOSE][0].dtypes));
    assert_true(dtype_in(DTYPE_BOOL, limits.operators[WEBNN_WHERE][0].dtypes));
    assert_true(dtype_in(DTYPE_UINT16, limits.operators[WEBNN_ADD][0].dtypes));
    assert_true(dtype_in(DTYPE_BFLOAT16, limits.operators[WEBNN_CAST][0].dtypes));
    assert_true(dtype_in(DTYPE_BOOL, limits.operators[WEBNN_EQUAL][1].dtypes));
    assert_int_equal(limits.operators[WEBNN_EQUAL][2].dtypes, DTYPE_BIT(DTYPE_UINT8));
    assert_true(dtype_in(DTYPE_INT64, limits.operators[WEBNN_MATMUL][2].dtypes));
    assert_false(dtype_in(DTYPE_FLOAT64, limits.operators[WEBNN_QUANTIZE_LINEAR][1].dtypes));
    assert_false(dtype_in(DTYPE_BOOL, limits.operators[WEBNN_ADD][0].dtypes));
    assert_false(dtype_in(DTYPE_BFLOAT16, limits.operators[WEBNN_ADD][0].dtypes));
    assert_false(dtype_in(DTYPE_INT16, limits.operators[WEBNN_GATHER][1].dtypes));
    assert_int_equal(limits.min_dimension, 0);
}

static void message_of(const struct limits *limits, struct trial *t, char text[256])
{
    struct diags diags;
    diags_init(&diags, NULL);
    assert_status(run(t, limits, &diags), O2W_UNSUPPORTED);
    assert_int_equal(diags.newest->code, DIAG_OP_LIMITS);
    snprintf(text, 256, "%s", diags.newest->message);
    diags_free(&diags);
}

static void narrower_limits_are_named(void **state)
{
    struct limits limits;
    struct trial t = trial_of(WEBNN_ADD, 6);
    char text[256];
    (void)state;
    limits_required(&limits);
    message_of(&limits, &t, text);
    assert_string_equal(text, "add: a has rank 6, the standard's required set allows 0…5");
    t = trial_of(WEBNN_ADD, 4);
    t.operands[0].dtype = t.operands[1].dtype = DTYPE_UINT64;
    message_of(&limits, &t, text);
    assert_string_equal(
        text, "add: a is uint64, the standard's required set allows float32, float16 or int32");
    limits_own(&limits);
    limits.refused[WEBNN_ADD] = true;
    message_of(&limits, &t, text);
    assert_string_equal(text, "add: onnx2webnn does not have this operator");
    limits.refused[WEBNN_ADD] = false;
    limits.max_rank = 3;
    message_of(&limits, &t, text);
    assert_string_equal(text, "add: a has rank 4, onnx2webnn allows 0…3");
}

static o2w_status check(const struct limits *limits, struct descriptor d, struct diags *diags)
{
    return infer_check_descriptor(limits, NULL, diags, "input 'x'", &limits->input, &d);
}

static void descriptors_of_inputs_are_checked(void **state)
{
    struct limits limits;
    struct diags diags;
    (void)state;
    limits_standard(&limits);
    diags_init(&diags, NULL);
    assert_ok(check(&limits, ones(DTYPE_UINT4, 16), &diags));
    assert_status(check(&limits, (struct descriptor){ .rank = 1 }, &diags), O2W_INVALID_ARGUMENT);
    assert_string_equal(diags.newest->message,
                        "input 'x': descriptor.shape[0] is 0, must be 1…2147483647");
    assert_status(check(&limits, ones(DTYPE_FLOAT64, 1), &diags), O2W_INVALID_ARGUMENT);
    assert_status(
        check(&limits, (struct descriptor){ .rank = 2, .dims = { 65536, 65536 } }, &diags),
        O2W_INVALID_ARGUMENT);
    assert_status(
        check(&limits, (struct descriptor){ .rank = 1, .dims = { INT64_C(1) << 31 } }, &diags),
        O2W_INVALID_ARGUMENT);
    limits_own(&limits);
    assert_ok(check(&limits, (struct descriptor){ .rank = 1 }, &diags));
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_takes_its_ranks_together),
        cmocka_unit_test(every_slot_takes_exactly_its_ranks),
        cmocka_unit_test(every_slot_takes_exactly_its_dtypes),
        cmocka_unit_test(every_refused_dtype_is_told_with_what_is_allowed),
        cmocka_unit_test(missing_operands_are_refused_and_optional_ones_are_not),
        cmocka_unit_test(required_is_within_allowed),
        cmocka_unit_test(packed_types_move_only_where_they_may),
        cmocka_unit_test(evaluation_knows_more_types),
        cmocka_unit_test(narrower_limits_are_named),
        cmocka_unit_test(descriptors_of_inputs_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
