import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import setupArgon2id from 'argon2id/lib/setup.js'
import { PASSWORD_COST } from '../../src/identity/password-cost.ts'
import { PASSWORD, Person, ApiError } from '../http/person.ts'
import { ms, quantile, type Row } from './row.ts'

const TIMES = 15
const AT_ONCE = 20
const emailOf = (i: number): string => `sign-in-${i}@example.com`

/** Median milliseconds of each work, run in turns so that both see the same machine; the first turn warms up. */
async function medians(times: number, works: (() => Promise<void>)[]): Promise<number[]> {
  const samples: number[][] = works.map(() => [])
  for (let i = 0; i <= times; i++)
    for (const [at, work] of works.entries()) {
      const started = performance.now()
      await work()
      if (i > 0) samples[at]?.push(performance.now() - started)
    }
  return samples.map((sample) => quantile(sample, 0.5))
}

/** One hash of the product's cost by the same package, with nothing around it. */
async function bareHash(): Promise<() => Promise<void>> {
  const require = createRequire(import.meta.url)
  const module = await WebAssembly.compile(await readFile(require.resolve('argon2id/dist/simd.wasm')))
  const load = async (imports: WebAssembly.Imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  })
  const compute = await setupArgon2id(load, load)
  const password = new TextEncoder().encode(PASSWORD)
  const salt = new Uint8Array(16).fill(7)
  return async () => {
    compute({ password, salt, ...PASSWORD_COST, tagLength: 32 })
  }
}

/** How one sign-in of somebody whose browser just opened ended. @throws when it was not answered at all */
async function signInStatus(address: string, email: string): Promise<number> {
  try {
    await new Person(address).signIn(email)
    return 200
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}

/** A3: a sign-in alone beside a bare hash of the same cost; and twenty people at once, each answered or told to wait. */
export async function signInRows(address: string): Promise<Row[]> {
  for (let i = 0; i < AT_ONCE; i++) await new Person(address).register(emailOf(i))
  const person = new Person(address)
  // The session's read and the sign-in itself, as the sign-in page makes them; tries of right passwords are given back.
  const works = [() => person.signIn(emailOf(0)), await bareHash()]
  const [ours = Number.NaN, bare = Number.NaN] = await medians(TIMES, works)
  const started = performance.now()
  const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_one, i) => signInStatus(address, emailOf(i))))
  const all = performance.now() - started
  const count = (wanted: number): number => statuses.filter((status) => status === wanted).length
  const failed = AT_ONCE - count(200) - count(429)
  if (failed > 0) throw new Error(`${failed} of ${AT_ONCE} sign-ins at once failed: ${statuses.join(', ')}`)
  return [
    {
      id: 'A3',
      what: 'sign-in, alone (median)',
      ours: ms(ours),
      reference: `${ms(bare)} (bare argon2id of the same cost)`,
      ratio: (ours / bare).toFixed(2),
    },
    {
      id: 'A3',
      what: `${AT_ONCE} sign-ins at once`,
      ours: `${ms(all)}: ${count(200)} in, ${count(429)} told to wait, 0 failed`,
      reference: `${ms(bare * AT_ONCE)} (as many bare hashes)`,
      ratio: (all / (bare * AT_ONCE)).toFixed(2),
    },
  ]
}
