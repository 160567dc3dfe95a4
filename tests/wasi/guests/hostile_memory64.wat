;; A 64-bit memory: nn calls say that there is none that they can use.
(module
  (import "wasi_ephemeral_nn" "compute" (func $compute (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") i64 1)
  (func (export "_start") (call $exit (call $compute (i32.const 1)))))
