import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openZip } from '../../src/formats/archive/zip-reader'
import { seedOf } from '../seed'
import { memorySource } from './memory-source'
import { zipOf } from './zip'

const LONG = env.LONG === '1'
/** Longest that a file may take to be read or refused. */
const HANG_MS = 5_000

/** Takes longer than it may only where it does each time: a busy machine may stand still in one of 20 000 readings. */
export async function expectNoHang(reading: () => Promise<void>): Promise<void> {
  let least = Infinity
  for (let n = 0; n < 3 && least >= HANG_MS; n += 1) {
    const started = performance.now()
    await reading()
    least = Math.min(least, performance.now() - started)
  }
  expect(least).toBeLessThan(HANG_MS)
}

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

/** The same files, where nothing moves: offsets still lead to what they name, whose lengths, counts and flags are wrong. */
export function flippedOf(files: ReadonlyMap<string, Uint8Array>): fc.Arbitrary<Uint8Array> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 })
  return fc
    .record({ name: fc.constantFrom(...files.keys()), changes, late: fc.boolean() })
    .map(({ name, changes: bytesAt, late }) => {
      const bytes = (files.get(name) ?? new Uint8Array(1)).slice()
      const from = late ? Math.floor(bytes.length * 0.7) : 0
      for (const [at, byte] of bytesAt) bytes[from + (at % (bytes.length - from))] = byte
      return bytes
    })
}

/** Archives in which one file is a mutant, packed anew: their checksums are right. */
export async function mutantsInside(
  archives: readonly Uint8Array[],
  signs: string[],
): Promise<fc.Arbitrary<Promise<Uint8Array>>> {
  const parts = await Promise.all(archives.map(partsOf))
  const all = parts.flatMap((files, archive) => [...files.keys()].map((name) => ({ archive, name })))
  return fc.constantFrom(...all).chain(({ archive, name }) => {
    const files = parts[archive] ?? new Map<string, Uint8Array>()
    const one = new Map([[name, files.get(name) ?? new Uint8Array(0)]])
    return fc
      .oneof(mutantsOf(one, signs), flippedOf(one))
      .map((bytes) =>
        zipOf([...files].map(([each, sound]) => ({ name: each, store: true, bytes: each === name ? bytes : sound }))),
      )
  })
}

async function partsOf(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const archive = await openZip(memorySource('a', bytes))
  const files = archive.entries.map(async (entry) => [entry.name, await archive.bytes(entry, 10_000_000)] as const)
  return new Map((await Promise.all(files)).filter(([, content]) => content.length > 0))
}

/** What says that a run hangs. */
export const RUN_MS = LONG ? 3_600_000 : 600_000
/** 150 mutants of a kind, 20 000 in the long tier. */
export const mutationRuns = (): { numRuns: number; seed: number } => ({
  numRuns: LONG ? 20_000 : 150,
  seed: seedOf(LONG),
})

/** What decides where a JSON value begins and ends, and what a reader may trip over. */
export const JSON_SIGNS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  '\0',
  '[[',
  '{"a":',
  '\\u',
  '\ufeff',
  '1e',
  '-',
  'null',
  'å',
]
