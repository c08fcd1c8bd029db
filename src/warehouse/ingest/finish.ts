import { isAddition, takesPlaces } from './begin'
import { measureBounds } from './bounds'
import { holdLease } from './lease'
import { findLoad, settle } from './load'
import type { Load } from './load'
import { collectKeys, dropDuplicates } from './rows'
import { rescale, targetScales } from './scale'
import { addRows, swapIn } from './swap'
import { findStored } from '../catalogue'
import type { LoadDone } from '../contract'
import { reproveRelations } from '../relations/relations'
import type { Room } from '../room'
import { countRows, findSet, getSet, saveSet } from '../tables'
import type { TableSet } from '../tables'
import { ProductError } from '../../shared/errors'
import type { Outcome } from '../../shared/errors'
import { REJECTS_MAX_SHARE } from '../../shared/limits'

/**
 * Validates what was staged, prepares it (slow, invisible, repeatable) and makes it the dataset in one transaction.
 * A refusal ends the load; asking again answers the same.
 */
export async function finishLoad(room: Room, at: { runId: string; fence: number }): Promise<Outcome<LoadDone>> {
  const known = findLoad(room, at.runId)
  if (known?.state === 'done' && known.outcome) return known.outcome
  const load = holdLease(room, at)
  try {
    validate(room, load)
    const duplicates = await prepare(room, load)
    return room.atomically(() => publish(room, at, duplicates))
  } catch (error) {
    if (!(error instanceof ProductError) || error.code === 'expired') throw error
    const outcome: Outcome<LoadDone> = { ok: false, error: error.toRefusal() }
    room.atomically(() => settle(room, holdLease(room, at), { outcome, keepSet: false }))
    return outcome
  }
}

const growing = (room: Room, load: Load): TableSet | null => {
  const dataset = findStored(room, load.datasetId)
  return dataset && isAddition(load.spec, dataset) ? findSet(room, dataset.tableSet) : null
}

function validate(room: Room, load: Load & { tableSet: number }): void {
  const read = load.staged + load.rejected
  if (load.rejected > read * REJECTS_MAX_SHARE) {
    const message =
      `${load.rejected.toLocaleString('en')} of ${read.toLocaleString('en')} rows could not be read. ` +
      'Check the separator, the decimal mark and the types of the columns, then load again.'
    throw new ProductError('file_unreadable', { reason: 'broken' }, message)
  }
  if (load.staged === 0 && !growing(room, load)) {
    throw new ProductError('file_unreadable', { reason: 'empty' }, 'The file holds no rows. The data stays as it was.')
  }
}

/** Brings the staged rows into their last form. Answers the rows left out because a later one has the same key. */
async function prepare(room: Room, load: Load & { tableSet: number }): Promise<number> {
  const live = growing(room, load)
  const { mode, keyColumns } = load.spec
  const set = room.atomically(() => {
    const staging = getSet(room, load.tableSet)
    const counts = staging.layout.map((_, group) => countRows(room, staging, group))
    if (counts.some((count) => count !== counts[0]))
      throw new Error('The column groups hold different numbers of rows.')
    const scaled = scaleStaged(room, load, { staging: { ...staging, bounds: knownBounds(load) }, live })
    saveSet(room, scaled)
    return scaled
  })
  if (takesPlaces(mode)) room.atomically(() => collectKeys(room, set, keyColumns))
  const duplicates = mode === 'upsert' ? room.atomically(() => dropDuplicates(room, set)) : 0
  const bounds = await measureBounds(room, set)
  saveSet(room, { ...set, bounds })
  return mode === 'upsert' ? load.staged - countRows(room, set) : duplicates
}

/** Of columns whose cells came wrapped only some values were measured. */
const knownBounds = ({ bounds, widened }: Load): TableSet['bounds'] =>
  Object.fromEntries(Object.entries(bounds ?? {}).filter(([key]) => !(key in widened)))

function scaleStaged(room: Room, load: Load, sets: { staging: TableSet; live: TableSet | null }): TableSet {
  let set = sets.staging
  for (const [key, scale] of targetScales(room, load, sets)) {
    const column = set.columns.find((candidate) => candidate.key === key)
    if (column?.scale === scale && load.widened[key] === undefined) continue
    set = rescale(room, set, { key, scale })
  }
  return set
}

function publish(room: Room, at: { runId: string; fence: number }, duplicates: number): Outcome<LoadDone> {
  const load = holdLease(room, at)
  const dataset = findStored(room, load.datasetId)
  if (!dataset || dataset.deletedAt !== null) throw new ProductError('not_found')
  const staging = getSet(room, load.tableSet)
  const adds = isAddition(load.spec, dataset)
  const done = adds
    ? addRows(room, { load, dataset, staging, duplicates })
    : swapIn(room, { load, dataset, staging, duplicates })
  reproveRelations(room, load.datasetId)
  const outcome: Outcome<LoadDone> = { ok: true, value: done }
  settle(room, load, { outcome, keepSet: !adds })
  return outcome
}
