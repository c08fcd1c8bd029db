import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { column, warehouse, type Cell, type TestLoad } from '../../../test/worker/warehouse-driver'
import { unwrap } from '../../shared/errors'
import type { LoadMode } from '../../shared/data-sources/data-sources'
import type { WarehouseContext } from '../context'

const LONG = env.LONG === '1'
/** Instants at which an object is stopped, and how many of them at least come before the load has ended. */
const KILLS = LONG ? { tried: 700, died: 500 } : { tried: 8, died: 1 }
type TestWarehouse = ReturnType<typeof warehouse>

const columns = [
  column(0, 'text'),
  column(1, 'number:2'),
  ...Array.from({ length: 100 }, (_, n) => column(n + 2, 'integer')),
]
const filler = Array.from({ length: 100 }, (_, n) => n)
const rowsOf = (mark: string, n: number): Cell[][] =>
  Array.from({ length: n }, (_, r) => [`${mark}${r}`, r === 0 ? [0.125] : r * 100, ...filler])
const firstTwo = async (w: TestWarehouse, datasetId: string): Promise<string[]> =>
  (await w.rows(datasetId)).map(([key, value]) => `${JSON.stringify(key).slice(1, -1)}=${JSON.stringify(value)}`).sort()

/** Stops the object at its nth statement from now: the process is gone in the middle of whatever it did. */
const stopAt = (w: TestWarehouse, nth: number): Promise<void> =>
  w.inside((object, state) => {
    let left = nth
    const sql = object.context.sql
    const exec: WarehouseContext['sql']['exec'] = (query, ...values) => {
      left -= 1
      if (left === 0) state.abort('killed')
      if (left <= 0) throw new Error('killed')
      return sql.exec(query, ...values)
    }
    const watched = new Proxy(sql, {
      get: (target, name) => (name === 'exec' ? exec : Reflect.get(target, name, target)),
    })
    object.context.sql = watched
  })

/** One load as the workflow runs it; a death of the object ends it. Answers whether it got to its end. */
async function tryLoad(w: TestWarehouse, load: TestLoad): Promise<boolean> {
  try {
    await w.load({ ...load, batchRows: 7 })
    return true
  } catch {
    return false
  }
}

const OLD = ['old0=125', 'old1=1000', 'old2=2000'].sort()
type Addition = Exclude<LoadMode, 'create'>
const filed = (word: string): string[] =>
  Array.from({ length: 20 }, (_, r) => `${word}${r}=${r === 0 ? 125 : r * 1000}`)
const NEW: Record<Addition, string[]> = {
  replacePart: filed('old').sort(),
  replace: filed('new').sort(),
  append: [...OLD, ...filed('new')].sort(),
  upsert: filed('old').sort(),
}

describe('a load killed at any instant', () => {
  it('leaves the old rows or the new ones, never part, and the next run leaves no staging (SYN-2)', async () => {
    const modes = fc.constantFrom('replace' as const, 'append' as const, 'upsert' as const, 'replacePart' as const)
    let died = 0
    const check = async (mode: Addition, nth: number): Promise<void> => {
      const w = warehouse()
      const { datasetId } = await w.load({ columns, rows: rowsOf('old', 3) })
      const before = unwrap(await w.stub().dataset(w.scope, datasetId))
      const load = {
        datasetId,
        mode,
        columns,
        keyColumns: ['c0' as const],
        rows: rowsOf(mode === 'upsert' || mode === 'replacePart' ? 'old' : 'new', 20),
      }
      await stopAt(w, nth)
      const ended = await tryLoad(w, load)
      if (!ended) died += 1
      await w.inside((object, state) => {
        object.context.sql = state.storage.sql
      })

      const dataset = unwrap(await w.stub().dataset(w.scope, datasetId))
      const swapped = dataset.dataVersion > before.dataVersion
      expect(await firstTwo(w, datasetId)).toEqual(swapped ? NEW[mode] : OLD)
      expect(dataset.rowCount).toBe(swapped ? NEW[mode].length : OLD.length)
      if (ended) expect(swapped).toBe(true)

      await w.setClock(Date.now() + 10 * 60_000)
      await w.load({ datasetId, mode: 'replace', columns, rows: rowsOf('last', 2) })
      unwrap(await w.stub().sweep(w.scope))
      const left = await w.inside((object) =>
        object.context.sql
          .exec<{ kind: string }>('SELECT kind FROM table_sets ORDER BY kind')
          .toArray()
          .map((row) => row.kind),
      )
      expect(left.filter((kind) => kind !== 'live' && kind !== 'previous')).toEqual([])
      expect(await w.storedSets()).toHaveLength(left.length)
    }
    await fc.assert(fc.asyncProperty(modes, fc.integer({ min: 1, max: 340 }), check), { numRuns: KILLS.tried })
    if (LONG) console.info(`${died} of ${KILLS.tried} loads died under way`)
    expect(died).toBeGreaterThanOrEqual(KILLS.died)
  })
})

describe('a query during a swap', () => {
  it('sees the old rows or the new ones whole, every time (SYN-9)', async () => {
    const w = warehouse()
    const small = [column(0, 'integer'), column(1, 'integer')]
    const fill = (n: number): number[][] => Array.from({ length: 200 + n }, (_, r) => [n, r])
    const { datasetId } = await w.load({ columns: small, rows: fill(0) })
    for (let n = 1; n <= (LONG ? 1000 : 17); n++) {
      const load = { datasetId, mode: 'replace' as const, columns: small, rows: fill(n) }
      const spec = w.spec(load)
      const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
      await w.stageAll(load, { runId: spec.runId, fence })
      const finished = w.stub().finishLoad(w.scope, { runId: spec.runId, fence })
      const seen = await Promise.all(Array.from({ length: 4 }, () => w.rows(datasetId)))
      unwrap(await finished)
      for (const rows of [...seen, await w.rows(datasetId)]) {
        const mark = Number(rows[0]?.[0])
        expect([n - 1, n]).toContain(mark)
        expect(rows).toEqual(fill(mark))
      }
    }
  })
})

describe('the object', () => {
  it('takes a step of its schema whole or not at all, and goes on with it at the next start (STO-3)', async () => {
    const w = warehouse()
    await w.load({ columns: [column(0)], rows: [['x']] })
    const { migrate } = await import('../migrations')
    await w.inside(({ context }) => {
      const applied = () =>
        context.sql.exec<{ name: string }>('SELECT name FROM schema_migrations ORDER BY n').toArray()
      const known = applied().map(({ name }) => ({ name, statements: [] }))
      const step = (second: string) => [...known, { name: '9998_half', statements: ['CREATE TABLE half (n)', second] }]
      const tables = () => context.sql.exec("SELECT 1 AS n FROM sqlite_master WHERE name = 'half'").toArray().length
      expect(() => migrate(context, step('killed here'))).toThrow('syntax error')
      expect([tables(), applied().length]).toEqual([0, known.length])
      for (let start = 0; start < 2; start += 1) migrate(context, step('CREATE INDEX half_n ON half (n)'))
      expect([tables(), applied().length]).toEqual([1, known.length + 1])
      context.sql.exec('DROP TABLE half')
      context.sql.exec("DELETE FROM schema_migrations WHERE name = '9998_half'")
    })
  })

  it('refuses to run over a schema of newer code', async () => {
    const w = warehouse()
    await w.load({ columns: [column(0)], rows: [['x']] })
    const { migrate } = await import('../migrations')
    await w.inside((object) => {
      object.context.sql.exec("INSERT INTO schema_migrations (n, name, at) VALUES (999, '9999_later', 0)")
      expect(() => migrate(object.context)).toThrow('does not know')
    })
  })
})
