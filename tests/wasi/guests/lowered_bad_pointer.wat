;; A pointer that the canonical ABI forbids.
(module
  (import "wasi:nn/graph@0.2.0-rc-2024-10-28" "load-by-name" (func $load (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "_start") (call $load (i32.const 0xfffffff0) (i32.const 300) (i32.const 8))))
