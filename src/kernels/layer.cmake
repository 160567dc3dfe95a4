# Neither changes a value: no loop here reads errno or floating-point exceptions, and without them
# square roots and selections become vector instructions.
target_compile_options(o2w_kernels PRIVATE -fno-math-errno -fno-trapping-math)
