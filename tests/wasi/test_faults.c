/* T90: each call into ONNX Runtime fails once. */
#include "ort/internal.h" /* before the macro CALL of guest.h */

#include "wasi/guest.h"

#include <stdlib.h>

/* What the runtime makes and must have back. */
enum kind {
    SESSION,
    SESSION_OPTIONS,
    RUN_OPTIONS,
    BINDING,
    VALUE,
    TYPE_INFO,
    STATUS_OBJECT,
    KINDS
};

static struct {
    struct ort_api api; /* the runtime's own */
    struct ort_editor_api editor;
    size_t calls, fail_at;
    const char *failed; /* the call that was made to fail */
    long live[KINDS];
} the;

static char fault_object; /* stands for the status of a fault */
#define FAULT ((OrtStatus *)(void *)&fault_object)

static bool must_fail(const char *name)
{
    if (the.calls++ != the.fail_at)
        return false;
    the.failed = name;
    the.live[STATUS_OBJECT]++;
    return true;
}

/* A call of the runtime was made: what it has made with it. */
static OrtStatus *made(const char *name, OrtStatus *status)
{
    static const struct {
        const char *name;
        enum kind kind;
    } makers[] = {
        { "CreateSession", SESSION },
        { "CreateSessionFromArray", SESSION },
        { "CreateSessionFromModel", SESSION },
        { "CreateSessionOptions", SESSION_OPTIONS },
        { "CreateRunOptions", RUN_OPTIONS },
        { "CreateIoBinding", BINDING },
        { "CreateTensorWithDataAsOrtValue", VALUE },
        { "CreateTensorAsOrtValue", VALUE },
        { "Run", VALUE }, /* the models have one output */
        { "SessionGetInputTypeInfo", TYPE_INFO },
        { "SessionGetOutputTypeInfo", TYPE_INFO },
        { "SessionGetOverridableInitializerTypeInfo", TYPE_INFO },
        { "CreateTensorTypeInfo", TYPE_INFO },
    };
    if (status)
        the.live[STATUS_OBJECT]++;
    for (size_t i = 0; !status && i < sizeof makers / sizeof *makers; i++)
        if (strcmp(makers[i].name, name) == 0)
            the.live[makers[i].kind]++;
    if (!status && strcmp(name, "AddInitializerToGraph") == 0)
        the.live[VALUE]--; /* the graph has it now */
    return status;
}

/* Types to parameters and to arguments, by their number. */
#define COUNT_OF(a, b, c, d, e, f, g, h, i, j, n, ...) n
#define COUNT(...)                                     COUNT_OF(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define JOIN_(a, b)                                    a##b
#define JOIN(a, b)                                     JOIN_(a, b)
#define PARAMETERS(...)                                JOIN(PARAMETERS_, COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ARGUMENTS(...)                                 JOIN(ARGUMENTS_, COUNT(__VA_ARGS__))
#define PARAMETERS_1(A)                                A a
#define PARAMETERS_2(A, B)                             A a, B b
#define PARAMETERS_3(A, B, C)                          A a, B b, C c
#define PARAMETERS_4(A, B, C, D)                       A a, B b, C c, D d
#define PARAMETERS_5(A, B, C, D, E_)                   A a, B b, C c, D d, E_ e
#define PARAMETERS_6(A, B, C, D, E_, F)                A a, B b, C c, D d, E_ e, F f
#define PARAMETERS_7(A, B, C, D, E_, F, G)             A a, B b, C c, D d, E_ e, F f, G g
#define PARAMETERS_8(A, B, C, D, E_, F, G, H)          A a, B b, C c, D d, E_ e, F f, G g, H h
#define PARAMETERS_10(A, B, C, D, E_, F, G, H, I, J) \
    A a, B b, C c, D d, E_ e, F f, G g, H h, I i, J j
#define ARGUMENTS_1  (a)
#define ARGUMENTS_2  (a, b)
#define ARGUMENTS_3  (a, b, c)
#define ARGUMENTS_4  (a, b, c, d)
#define ARGUMENTS_5  (a, b, c, d, e)
#define ARGUMENTS_6  (a, b, c, d, e, f)
#define ARGUMENTS_7  (a, b, c, d, e, f, g)
#define ARGUMENTS_8  (a, b, c, d, e, f, g, h)
#define ARGUMENTS_10 (a, b, c, d, e, f, g, h, i, j)

#define CALL_OF(table, name, parameters)                         \
    static OrtStatus *failing_##name(PARAMETERS parameters)      \
    {                                                            \
        if (must_fail(#name))                                    \
            return FAULT;                                        \
        return made(#name, the.table.name ARGUMENTS parameters); \
    }
#undef CALL
#define CALL(name, slot, level, result, parameters)
#define STATUS(name, slot, level, parameters) CALL_OF(api, name, parameters)
#include "ort/ort_calls.def"
#define CALL(name, slot, level, result, parameters)
#define STATUS(name, slot, level, parameters) CALL_OF(editor, name, parameters)
#include "ort/ort_editor_calls.def"

static void release_status(OrtStatus *s)
{
    the.live[STATUS_OBJECT] -= s != NULL;
    if (s != FAULT)
        the.api.ReleaseStatus(s);
}

static const char *error_message(const OrtStatus *s)
{
    return s == FAULT ? "a fault of the test" : the.api.GetErrorMessage(s);
}

static int error_code(const OrtStatus *s)
{
    return s == FAULT ? 1 : the.api.GetErrorCode(s);
}

#define RELEASE(name, type, kind)            \
    static void release_##name(type *object) \
    {                                        \
        the.live[kind] -= object != NULL;    \
        the.api.Release##name(object);       \
    }
RELEASE(Session, OrtSession, SESSION)
RELEASE(SessionOptions, OrtSessionOptions, SESSION_OPTIONS)
RELEASE(RunOptions, OrtRunOptions, RUN_OPTIONS)
RELEASE(IoBinding, OrtIoBinding, BINDING)
RELEASE(Value, OrtValue, VALUE)
RELEASE(TypeInfo, OrtTypeInfo, TYPE_INFO)

/* The tables of the open runtime lead through the functions above. */
static void install(struct ort *o)
{
    the.api = o->api;
    the.editor = o->editor;
#define CALL(name, slot, level, result, parameters)
#define STATUS(name, slot, level, parameters) o->api.name = failing_##name;
#include "ort/ort_calls.def"
#define CALL(name, slot, level, result, parameters)
#define STATUS(name, slot, level, parameters) o->editor.name = failing_##name;
#include "ort/ort_editor_calls.def"
    o->api.ReleaseStatus = release_status;
    o->api.GetErrorMessage = error_message;
    o->api.GetErrorCode = error_code;
    o->api.ReleaseSession = release_Session;
    o->api.ReleaseSessionOptions = release_SessionOptions;
    o->api.ReleaseRunOptions = release_RunOptions;
    o->api.ReleaseIoBinding = release_IoBinding;
    o->api.ReleaseValue = release_Value;
    o->api.ReleaseTypeInfo = release_TypeInfo;
}

/* Calls whose failure spoils nothing: what they tell is not needed, or they free. */
static bool may_pass(const char *name)
{
    static const char *const names[] = { "AllocatorFree", "ReleaseAvailableProviders",
                                         "Session_GetEpGraphAssignmentInfo",
                                         "EpAssignedSubgraph_GetEpName",
                                         "EpAssignedSubgraph_GetNodes" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void t90_every_call_of_the_runtime_fails_once(void **state)
{
    struct span model = model_add();
    size_t failures = 0;
    (void)state;
    if (strstr(the_backend, "onnx") == NULL) {
        print_message("skipped: this backend calls no ONNX Runtime\n");
        skip();
    }
    for (size_t n = 0; n < 100000; n++) {
        memset(the.live, 0, sizeof the.live);
        the.calls = 0;
        the.fail_at = n;
        the.failed = NULL;
        uint32_t error = guest_life(NULL, model);
        for (int k = 0; k < KINDS; k++)
            if (the.live[k] != 0)
                fail_msg("call %zu (%s) failed: %ld objects of kind %d are left", n,
                         the.failed ? the.failed : "none", the.live[k], k);
        if (!the.failed) {
            assert_int_equal(error, WASINN_SUCCESS);
            break;
        }
        failures++;
        if (error > WASINN_NOT_FOUND || (!error && !may_pass(the.failed)))
            fail_msg("call %zu (%s) failed: errno %u", n, the.failed, error);
    }
    assert_true(failures > 20);
    models_free();
}

int main(void)
{
    const struct ort *o;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t90_every_call_of_the_runtime_fails_once),
    };
    if (ort_open(NULL, &o) == O2W_OK)
        install((struct ort *)(uintptr_t)o);
    the.fail_at = SIZE_MAX;
    return run_on_backends("faults", tests, sizeof tests / sizeof *tests);
}
