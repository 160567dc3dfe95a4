;; Imports an extension; unloads a handle that is none.
(module
  (import "wasi_ephemeral_nn" "unload" (func $unload (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (call $exit (i32.add (i32.const 40) (call $unload (i32.const 7))))))
