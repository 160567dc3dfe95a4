/* Compares a graph with native ONNX Runtime, which must be here (ORT_DYLIB_PATH or tools/setup).
 *
 *   cc validate.c $(pkg-config --cflags --libs onnx2webnn) -o validate
 *   ./validate model.onnx model.webnn
 */
#include <onnx2webnn/validate.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    o2w_validate_options options = { .size = sizeof options, .backend = "cpu" };
    o2w_report *report = NULL;
    o2w_error *error = NULL;
    if (argc != 3) {
        fprintf(stderr, "usage: validate MODEL.onnx GRAPH.webnn\n");
        return 2;
    }
    /* A mismatch is a report; what keeps a comparison from being made is an error. */
    if (o2w_validate(argv[1], argv[2], &options, &report, &error) != O2W_OK) {
        fputs(o2w_error_text(error), stderr);
        o2w_error_free(error);
        return 1;
    }
    fputs(o2w_report_text(report), stdout);
    int status = o2w_report_passed(report) ? 0 : 1;
    o2w_report_free(report);
    return status;
}
