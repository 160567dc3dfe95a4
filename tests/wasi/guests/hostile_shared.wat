;; A shared memory: its bytes may change while they are looked at.
(module
  (import "wasi_ephemeral_nn" "compute" (func $compute (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1 1 shared)
  (func (export "_start") (call $exit (call $compute (i32.const 1)))))
