;; Decodes a wasm that is text: text.ts says how it is written, and puts the text at 512. It is WebAssembly itself,
;; since JavaScript that runs once takes 40 ns a character.
;;
;; Before the text comes a table of what the characters stand for: one alone, in a row of 128 by its code; then the
;; second one of a pair, in a row for each first one, which are the space and `!`.
(module
  ;; 448 KB: room for the longest text, which the build checks.
  (memory (export "memory") 7 7)

  ;; The next place of the table, by the characters of the alphabet.
  (func $after (param $place i32) (result i32)
    (loop $next
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (if (i32.eq (i32.and (local.get $place) (i32.const 127)) (i32.const 127))
        (then (local.set $place (i32.add (local.get $place) (i32.const 33))))) ;; The space of the next row.
      ;; A bit for each code that is left out: 34, 36, 39 and 60; from 64 on 92 and 96.
      (br_if $next (i32.wrap_i64 (i64.and (i64.const 1)
        (i64.shr_u
          (select
            (i64.const 0x1_1000_0000) (i64.const 0x1000_0094_0000_0000) (i32.and (local.get $place) (i32.const 64)))
          (i64.extend_i32_u (local.get $place)))))))
    (local.get $place))

  ;; Decodes the text, up to `end`, to the bytes from 576 on; returns where they end.
  (func (export "decode") (param $end i32) (result i32)
    (local $byte i32) (local $single i32) (local $pair i32) (local $at i32) (local $to i32) (local $code i32)
    (local.set $single (i32.const 35))
    (local.set $pair (i32.const 160))
    (loop $next
      (if (i32.and (i32.const 1)
          (i32.shr_u
            (i32.load8_u offset=512 (i32.shr_u (local.get $byte) (i32.const 2)))
            (i32.and (local.get $byte) (i32.const 3))))
        (then
          (i32.store8 (local.get $single) (local.get $byte))
          (local.set $single (call $after (local.get $single))))
        (else
          (i32.store8 (local.get $pair) (local.get $byte))
          (local.set $pair (call $after (local.get $pair)))))
      (br_if $next (i32.lt_u (local.tee $byte (i32.add (local.get $byte) (i32.const 1))) (i32.const 256))))
    (local.set $at (local.tee $to (i32.const 576)))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $code (i32.load8_u (local.get $at)))
          (if (i32.lt_u (local.get $code) (i32.const 35))
            (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (local.set $code
                (i32.add
                  (i32.shl (i32.sub (local.get $code) (i32.const 31)) (i32.const 7))
                  (i32.load8_u (local.get $at))))))
          (i32.store8 (local.get $to) (i32.load8_u (local.get $code)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (br $next))))
    (local.get $to)))
