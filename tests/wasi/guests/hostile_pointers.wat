;; Every argument of every function is 0xffffffff: the exit status has a bit for each that gave an errno 1 to 8.
(module
  (import "wasi_ephemeral_nn" "load" (func $load (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "load_by_name" (func $name (param i32 i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "init_execution_context" (func $init (param i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "set_input" (func $set (param i32 i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "compute" (func $compute (param i32) (result i32)))
  (import "wasi_ephemeral_nn" "get_output" (func $get (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func $bit (param $e i32) (param $bit i32) (result i32)
    (select (local.get $bit) (i32.const 0)
      (i32.lt_u (i32.sub (local.get $e) (i32.const 1)) (i32.const 8))))
  (func (export "_start")
    (call $exit
      (i32.or
        (i32.or
          (i32.or (call $bit (call $load (i32.const -1) (i32.const -1) (i32.const -1) (i32.const -1) (i32.const -1)) (i32.const 1))
                  (call $bit (call $name (i32.const -1) (i32.const -1) (i32.const -1)) (i32.const 2)))
          (i32.or (call $bit (call $init (i32.const -1) (i32.const -1)) (i32.const 4))
                  (call $bit (call $set (i32.const -1) (i32.const -1) (i32.const -1)) (i32.const 8))))
        (i32.or (call $bit (call $compute (i32.const -1)) (i32.const 16))
                (call $bit (call $get (i32.const -1) (i32.const -1) (i32.const -1) (i32.const -1) (i32.const -1)) (i32.const 32)))))))
