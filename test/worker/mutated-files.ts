import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { seedOf } from '../seed'

/** Longest that a file may take to be read or refused. */
export const HANG_MS = 5_000

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Files with one to six changes each: bytes struck, doubled or replaced by what readers stumble over. `signs` are the
 * texts that matter to this kind of file.
 */
export function mutantsOf(files: ReadonlyMap<string, Uint8Array>, signs: string[]): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.nat(),
    length: fc.nat(40),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom(...signs).map(utf8),
      fc.record({ sign: fc.constantFrom(...signs), n: fc.nat(2000) }).map(({ sign, n }) => utf8(sign.repeat(n))),
    ),
  })
  return fc
    .record({ name: fc.constantFrom(...files.keys()), changes: fc.array(change, { minLength: 1, maxLength: 6 }) })
    .map(({ name, changes }) => {
      let bytes = files.get(name) ?? new Uint8Array(0)
      for (const { at, length, put } of changes) {
        const from = at % (bytes.length + 1)
        const rest = bytes.subarray(from + length)
        const changed = new Uint8Array(from + put.length + rest.length)
        changed.set(bytes.subarray(0, from))
        changed.set(put, from)
        changed.set(rest, from + put.length)
        bytes = changed
      }
      return bytes
    })
}

/** 250 mutants of a kind, 20 000 in the long tier; the seed is printed, so that a run can be repeated. */
export function mutationRuns(kind: string): { numRuns: number; seed: number } {
  const seed = seedOf(env.LONG === '1')
  const numRuns = env.LONG === '1' ? 20_000 : 250
  console.info(`${numRuns} mutated ${kind} files, seed ${seed}`)
  return { numRuns, seed }
}
