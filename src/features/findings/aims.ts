import type { Looking } from './look'
import type { Tested } from './model/tested'
import { aimsOf } from './aims-of'
import type { Aim } from './aims-of'
import type { Asked } from './subjects/asked'
import { figureOf } from './subjects/figure'
import type { Window } from './subjects/window'
import { progress } from '../../access/target-progress'
import { targetTable } from '../../access/target-tables'
import { findTracked } from '../../access/tracked'
import { isPassing, ProductError } from '../../shared/errors'
import { keyOfLine } from '../../shared/targets'
import type { PaceStatus, TargetTable } from '../../shared/targets'

/** The targets of a figure that are being headed for. */
export interface Aimed {
  table: TargetTable
  aims: Aim[]
}

/** Null for a figure without any. Where no way is favourable, nothing is missed. */
export async function aimedAt(
  { deps, scope, calendar }: Looking,
  { targets, measure, direction }: Asked,
  window: Window,
): Promise<Aimed | null> {
  if (direction === 'none') return null
  const figure = figureOf(measure)
  for (const { kind, id } of targets) {
    const subject = kind === 'metric' ? { kind, id } : { kind, id, measure: 0 }
    const table = await targetTable(deps.db, scope, subject)
    const aims = table ? aimsOf(table, { window, calendar, figure }) : []
    if (table && aims.length > 0) return { table, aims }
  }
  return null
}

/**
 * A target is at risk when season and trend of complete periods lead away from it, and what has come in since lies behind
 * its pace, too: as the page of the target tells it.
 */
export async function confirmed(looking: Looking, tested: Tested, aimed: Aimed | null): Promise<Tested> {
  if (!aimed || !tested.candidates.some(isRisk)) return tested
  const paces = await pacesOf(looking, aimed)
  const stands = (candidate: Tested['candidates'][number]): boolean => {
    if (!isRisk(candidate)) return true
    const { member } = candidate
    return paces.get(keyOfLine(member ? { member: member.value } : {})) === 'behind'
  }
  return { ...tested, candidates: tested.candidates.filter(stands) }
}
const isRisk = ({ kind }: Tested['candidates'][number]): boolean => kind === 'targetRisk'

/** How each line is doing; nothing of what cannot be worked out. */
async function pacesOf(looking: Looking, { table, aims }: Aimed): Promise<Map<string, PaceStatus | null>> {
  const found = await findTracked(looking.deps, looking.scope, table.subject)
  if (!found.ok) return new Map()
  try {
    const { lines } = await progress(looking, found.tracked, table)
    return new Map(
      lines.map((line) => {
        const key = keyOfLine(line)
        const of = aims.find((aim) => aim.line === key)?.of ?? 'now'
        return [key, line[of]?.status ?? null]
      }),
    )
  } catch (error) {
    if (error instanceof ProductError && !isPassing(error)) return new Map()
    throw error
  }
}
