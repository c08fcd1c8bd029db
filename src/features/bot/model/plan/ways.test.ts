import { expect, it } from 'vitest'
import { waysOf } from './ways'
import { schemaOf } from '../schema/schema'
import type { Vocabulary } from '../contract'
import { queryPlanSchema } from '../../../../shared/query/plan'

const id = (kind: string, n: number): string => `${kind}_${String(n).padStart(20, '0')}`
const TABLES = 9
const HOME = id('ds', 0)

it(
  'offers four ways at most, and makes no others, of a plan over many tables that each can be reached in several',
  { timeout: 30_000 },
  () => {
    const others = Array.from({ length: TABLES }, (_, n) => id('ds', n + 1))
    const vocabulary: Vocabulary = {
      datasets: [{ id: HOME, name: 'Rows', rowCount: 1, columns: [] }],
      relations: others.flatMap((dataset, n) =>
        Array.from({ length: 4 }, (_, way) => ({
          ...{ id: id('rel', 4 * n + way), from: { dataset: HOME, key: `c${4 * n + way}` as const } },
          to: { dataset, key: 'c0' as const },
        })),
      ),
      ...{ metrics: [], groupings: [], things: [], glossary: [], verified: [] },
    }
    const plan = queryPlanSchema.parse({
      ...{ v: 3, kind: 'aggregate', dimensions: [], measures: [{ kind: 'column', agg: 'count', dataset: HOME }] },
      filters: others.map((dataset) => ({ field: { dataset, column: 'c1' }, any: [{ op: 'eq', value: 1 }] })),
    })
    const schema = schemaOf(vocabulary)
    const home = schema.dataset(HOME)
    if (!home) throw new Error('it is there')
    expect(waysOf({ schema, home, named: new Set() }, plan)).toHaveLength(4)
  },
)
