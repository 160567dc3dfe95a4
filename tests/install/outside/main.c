#include <stdio.h>
#include <string.h>

#include <onnx2webnn/common.h>

int main(void)
{
    printf("onnx2webnn %s\n", o2w_version());
    return strcmp(o2w_version(), O2W_VERSION) != 0;
}
