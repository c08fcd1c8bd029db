import type { DeliveryWork, HoldCheck } from './prepare'
import { deliveryStore } from '../../../features/reports/schedules/delivery-store'
import { dayFromIso } from '../../../shared/dates'
import { localDay, slotBefore } from '../../../shared/reports/schedule-dates'
import type { CatalogueDataset } from '../../../warehouse/contract'

/**
 * Whether a document's data are of the date that it is for: no import of them failed last, and each dataset that is
 * imported again and again was imported since the period ended (where none is: any of them).
 */
export function holdCheck(work: DeliveryWork): HoldCheck {
  const { deps, schedule, reader } = work
  return async ({ datasets }) => {
    const failed = await deliveryStore(deps.db, schedule).failedImports(datasets)
    if (failed.length > 0) return { state: 'held', reason: 'sourceFailed', datasets }
    const all = await deps.warehouse(reader.scope).datasets()
    const read = all.filter(({ id }) => datasets.includes(id))
    return isFresh(work, read) ? null : { state: 'held', reason: 'stale', datasets }
  }
}

function isFresh({ schedule, reader, slot }: DeliveryWork, read: readonly CatalogueDataset[]): boolean {
  if (read.length === 0) return true
  const loads = (datasets: readonly CatalogueDataset[]): number[] => datasets.map(({ loadedAt }) => loadedAt ?? 0)
  const renewed = read.filter(({ dataVersion }) => dataVersion > 1)
  const loadedAt = renewed.length > 0 ? Math.min(...loads(renewed)) : Math.max(...loads(read))
  const { timeZone } = reader.settings
  if (slot.period) return localDay(loadedAt, timeZone) > (dayFromIso(slot.period.to) ?? 0)
  return loadedAt >= slotBefore(schedule.content.timing, reader.settings, slot).at
}

/** Whether nothing has come since a delivery was held: its document is not made again for that. */
export async function isStillHeld({ deps, delivery, reader, schedule }: DeliveryWork): Promise<boolean> {
  if (delivery.state !== 'held' || delivery.forced || delivery.basis === null) return false
  const datasets: string[] = JSON.parse(delivery.basis)
  const failed = await deliveryStore(deps.db, schedule).failedImports(datasets)
  if (delivery.reason === 'sourceFailed') return failed.length > 0
  const all = await deps.warehouse(reader.scope).datasets()
  // Any import since then is worth another look.
  return all.every(({ id, loadedAt }) => !datasets.includes(id) || (loadedAt ?? 0) < delivery.slotAt)
}
