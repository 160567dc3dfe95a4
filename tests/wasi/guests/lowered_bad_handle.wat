(module
  (import "wasi:nn/tensor@0.2.0-rc-2024-10-28" "[resource-drop]tensor" (func $drop (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (call $drop (i32.const 1))))
