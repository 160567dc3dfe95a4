#include <iostream>
#include <string>

#include <onnx2webnn/common.h>

int main()
{
    std::cout << "onnx2webnn " << o2w_version() << '\n';
    return std::string(o2w_version()) == O2W_VERSION ? 0 : 1;
}
