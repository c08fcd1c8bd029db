import type { DigestSources, Loose, Reading } from './sources'
import type { Standing } from '../../access/standing'
import { log } from '../../lib/log'
import { figureText } from '../../mail/figures'
import type { OrderOf } from '../../mail/order'
import { sentenceText } from '../../mail/sentence'
import { DIGEST_FINDINGS_MAX, DIGEST_ITEMS_MAX } from '../../shared/digest'
import { ProductError } from '../../shared/errors'
import type { Finding } from '../../shared/finding-feed'
import { mayRole } from '../../shared/permissions'

type Order = OrderOf<'digest'>
/** Values without a group that were told of, by grouping. */
export type Told = Readonly<Record<string, number>>

/** What was found since the last digest. */
export async function foundSince(
  sources: DigestSources,
  at: Reading,
  { reader, since }: { reader: Standing; since: number },
): Promise<Order['findings']> {
  const found = await orNone(sources.findings(at, { since, most: DIGEST_FINDINGS_MAX }))
  return found.map((finding) => ({
    name: finding.about.label,
    sentence: sentenceText(finding, reader.settings),
    path: pathOf(finding),
  }))
}

function pathOf({ about: { metric, insights } }: Finding): string {
  const [insight] = insights
  if (metric !== null) return `/metrics/${metric}`
  return insight === undefined ? '/insights' : `/insights/${insight}`
}

/** Values that have come into no group since the last digest, for whoever may put them into one. */
export async function looseSince(
  sources: DigestSources,
  at: Reading,
  { reader, told }: { reader: Standing; told: Told },
): Promise<{ loose: Order['loose']; told: Told }> {
  if (!mayRole(reader.role, 'edit:grouping')) return { loose: [], told: {} }
  const now = await orNone(sources.loose(at))
  const more = now.filter(({ groupingId, values }) => values > (told[groupingId] ?? 0)).slice(0, DIGEST_ITEMS_MAX)
  return {
    loose: more.map(({ groupingId, name, ...count }) => ({ groupingId, name, line: lineOf(count, reader) })),
    told: Object.fromEntries(now.map(({ groupingId, values }) => [groupingId, values])),
  }
}

function lineOf({ values, rows }: Pick<Loose, 'values' | 'rows'>, { settings }: Standing): string {
  const count = (n: number, one: string): string => `${figureText(n, null, settings)} ${n === 1 ? one : `${one}s`}`
  return `${count(values, 'value')} in ${count(rows, 'row')} ${values === 1 ? 'belongs' : 'belong'} to no group yet.`
}

/** What cannot be asked now is left out: the digest comes all the same. */
async function orNone<T>(work: Promise<T[]>): Promise<T[]> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    log('info', 'a digest goes without a part', { code: error.code })
    return []
  }
}
