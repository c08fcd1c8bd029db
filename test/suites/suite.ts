import { env } from 'cloudflare:test'
import type { z } from 'zod'

/** One thing that is right or is not: a file, or a question. */
export interface SuiteCase {
  name: string
  /** Brings what the check works on: no part of the time that the case takes. */
  prepare(): Promise<void>
  /** What differs from what is expected, in words; none when it is right. */
  check(): Promise<string[]>
  /** In what words the outcome is told, where it is more than pass or fail. */
  verdict?: () => string
  /** Whether it is right, where lines are told of what is right, too. */
  isRight?: () => boolean
}

/** The checks of one kind. */
export interface Suite {
  /** Fewest cases of `../shared/data/<kind>` that are right: `npm test` holds to it. */
  floor: number
  cases(files: SuiteFiles, atEnd: (totals: () => string[]) => void): Promise<SuiteCase[]>
}

/** Files of one kind's folder, by their path inside it. */
export interface SuiteFiles {
  /** Names in a folder. @throws Error when it does not exist. */
  list(path?: string): Promise<string[]>
  /** @throws Error when it does not exist. */
  bytes(path: string): Promise<Uint8Array>
  /** The parsed JSON of a file. @throws ZodError when it is not what `schema` says. */
  json<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>
  /** Whether there is such a file or folder. */
  has(path: string): Promise<boolean>
}

/** A file of a suite with its bytes. */
export interface SuiteFile {
  name: string
  bytes: Uint8Array
}

const ask = (path: string): Promise<Response> => env.SUITE_DOOR.fetch(`http://suite/${path}`)

export function suiteFiles(kind: string): SuiteFiles {
  const address = (path: string): string => `files/${kind}/${path.split('/').map(encodeURIComponent).join('/')}`
  const get = async (path: string): Promise<Response> => {
    const response = await ask(address(path))
    if (!response.ok) throw new Error(`${kind}: no such file: ${path}`)
    return response
  }
  return {
    list: async (path = '') => (await get(path)).json<string[]>(),
    bytes: async (path) => new Uint8Array(await (await get(path)).arrayBuffer()),
    json: async (path, schema) => schema.parse(await (await get(path)).json()),
    has: async (path) => (await ask(address(path))).ok,
  }
}

interface Measured {
  ms: number
  memory: { now: number; peak: number } | null
}

/** Clock and memory from outside: `fresh` begins a new peak. */
export const measure = async (fresh: boolean): Promise<Measured> =>
  (await ask(fresh ? 'measure/fresh' : 'measure')).json<Measured>()

/** The clock outside, in ms: the Worker's own stands still while it works. */
export const clock = async (): Promise<number> => (await ask('clock')).json<number>()

/** Hands the report to whoever started the run. */
export const report = async (text: string): Promise<void> => {
  await env.SUITE_DOOR.fetch('http://suite/report', { method: 'POST', body: text })
}

/** A check of what was brought before. */
export function preparedCheck<T>(
  bring: () => Promise<T>,
  judge: (brought: T) => Promise<string[]> | string[],
): Omit<SuiteCase, 'name'> {
  let brought: { value: T } | null = null
  return {
    prepare: async () => {
      brought = { value: await bring() }
    },
    check: async () => {
      if (!brought) throw new Error('the case was not prepared')
      const { value } = brought
      brought = null
      return judge(value)
    },
  }
}

/** A suite of single files: `expected.json` holds `{files: [{file, …}]}`, each judged by `check`. */
export function fileSuite<S extends z.ZodType<{ files: { file: string }[] }>>(
  floor: number,
  expected: S,
  check: (file: SuiteFile, want: z.output<S>['files'][number]) => Promise<string[]> | string[],
): Suite {
  return {
    floor,
    cases: async (files) =>
      (await files.json('expected.json', expected)).files.map((want) => ({
        name: want.file,
        ...preparedCheck(
          () => files.bytes(want.file),
          (bytes) => check({ name: want.file, bytes }, want),
        ),
      })),
  }
}
