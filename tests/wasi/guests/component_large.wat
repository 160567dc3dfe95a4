;; A tensor of 2796000 bytes, which is nearly as much as one call of a component takes.
(component
  (import "wasi:nn/tensor@0.2.0-rc-2024-10-28" (instance $tensor
    (export "tensor" (type $t (sub resource)))
    (type $names (enum "FP16" "FP32" "FP64" "BF16" "U8" "I32" "I64"))
    (export "tensor-type" (type $ty (eq $names)))
    (export "[constructor]tensor" (func (param "dimensions" (list u32)) (param "ty" $ty) (param "data" (list u8)) (result (own $t))))))
  (alias export $tensor "tensor" (type $tensor-t))
  (core module $Memory (memory (export "memory") 64))
  (core instance $m (instantiate $Memory))
  (core func $new-tensor (canon lower (func $tensor "[constructor]tensor") (memory (core memory $m "memory"))))
  (core func $drop-tensor (canon resource.drop $tensor-t))
  (core module $Main
    (import "nn" "memory" (memory 64))
    (import "nn" "tensor" (func $tensor (param i32 i32 i32 i32 i32) (result i32)))
    (import "nn" "drop-tensor" (func $drop-tensor (param i32)))
    (func (export "run") (result i32)
      (i32.store (i32.const 16) (i32.const 2796000))
      (call $drop-tensor
        (call $tensor (i32.const 16) (i32.const 1) (i32.const 4) (i32.const 4096) (i32.const 2796000)))
      (i32.const 0)))
  (core instance $main (instantiate $Main (with "nn" (instance
    (export "memory" (memory $m "memory"))
    (export "tensor" (func $new-tensor)) (export "drop-tensor" (func $drop-tensor))))))
  (func $run (result (result)) (canon lift (core func $main "run")))
  (instance $cli (export "run" (func $run)))
  (export "wasi:cli/run@0.2.3" (instance $cli)))
