import type { DigestSources, UngroupedValues, ReadContext } from './sources'
import type { MemberContext } from '../../access/standing'
import { log } from '../../lib/log'
import { formatFigure } from '../../mail/figures'
import type { QueuedMailOf } from '../../mail/order'
import { formatFindingSentence } from '../../mail/sentence'
import { DIGEST_FINDINGS_MAX, DIGEST_ITEMS_MAX } from '../../shared/digest'
import { ProductError } from '../../shared/errors'
import type { Finding } from '../../shared/finding-feed'
import { roleMay } from '../../shared/permissions'

type DigestOrder = QueuedMailOf<'digest'>
/** Values without a group that were told of, by grouping. */
export type ReportedCounts = Readonly<Record<string, number>>

/** What was found since the last digest. */
export async function newFindingLines(
  sources: DigestSources,
  at: ReadContext,
  { reader, since }: { reader: MemberContext; since: number },
): Promise<DigestOrder['findings']> {
  const found = await orEmptyIfRefused(sources.findings(at, { since, most: DIGEST_FINDINGS_MAX }))
  return found.map((finding) => ({
    name: finding.about.label,
    sentence: formatFindingSentence(finding, reader.settings),
    path: findingPath(finding),
  }))
}

function findingPath({ about: { metric, insights } }: Finding): string {
  const [insight] = insights
  if (metric !== null) return `/metrics/${metric}`
  return insight === undefined ? '/insights' : `/insights/${insight}`
}

/** Values that have come into no group since the last digest, for whoever may put them into one. */
export async function newUngroupedValues(
  sources: DigestSources,
  at: ReadContext,
  { reader, told }: { reader: MemberContext; told: ReportedCounts },
): Promise<{ loose: DigestOrder['loose']; told: ReportedCounts }> {
  if (!roleMay(reader.role, 'edit:grouping')) return { loose: [], told: {} }
  const now = await orEmptyIfRefused(sources.ungroupedValues(at))
  const more = now.filter(({ groupingId, values }) => values > (told[groupingId] ?? 0)).slice(0, DIGEST_ITEMS_MAX)
  return {
    loose: more.map(({ groupingId, name, ...count }) => ({ groupingId, name, line: ungroupedLine(count, reader) })),
    told: Object.fromEntries(now.map(({ groupingId, values }) => [groupingId, values])),
  }
}

function ungroupedLine(
  { values, rows }: Pick<UngroupedValues, 'values' | 'rows'>,
  { settings }: MemberContext,
): string {
  const count = (n: number, one: string): string => `${formatFigure(n, null, settings)} ${n === 1 ? one : `${one}s`}`
  return `${count(values, 'value')} in ${count(rows, 'row')} ${values === 1 ? 'belongs' : 'belong'} to no group yet.`
}

/** What cannot be asked now is left out: the digest comes all the same. */
async function orEmptyIfRefused<T>(work: Promise<T[]>): Promise<T[]> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    log('info', 'a digest goes without a part', { code: error.code })
    return []
  }
}
