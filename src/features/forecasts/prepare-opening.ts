import { ledgerCashBalance } from './prepare-books'
import type { GridSeries } from './prepare-series'
import { readMetricSeries } from '../../access/series'
import type { ForecastInput } from '../../shared/forecast-result'
import type { ForecastSettings } from '../../shared/forecasts'
import { isoFromDay, dayFromIso } from '../../warehouse/query/days'

/** From when on all that came before is added up. */
const DISTANT_PAST = '0001-01-01'

/**
 * What the figures add up to before the first period ahead, where they add up to a balance: as the person says; for figures of
 * a ledger the cash in its books; else the sum of all that came before. A running total is the sum of what it sums.
 * @throws ProductError what its questions are refused for
 */
export async function openingBalance(
  figure: GridSeries,
  { settings, before }: { settings: ForecastSettings; before: string },
): Promise<ForecastInput['opening']> {
  const { at, tracked } = figure
  const { accumulate } = settings
  if (!tracked.additive || (accumulate === null && tracked.running !== 'never')) return null
  if (accumulate !== null && accumulate.opening !== null) {
    const moved = await netChangeBetween(figure, { known: accumulate.on ?? before, before })
    return { value: accumulate.opening + moved, source: 'person' }
  }
  const to = dayBefore(before)
  const books = accumulate === null ? null : await ledgerCashBalance(figure, to)
  if (books !== null) return { value: books, source: 'books' }
  const { total } = await readMetricSeries(at, tracked, { from: DISTANT_PAST, to })
  return { value: total.values.get('') ?? 0, source: 'sum' }
}

const dayBefore = (day: string): string => isoFromDay((dayFromIso(day) ?? 0) - 1)

/**
 * What a balance that was known on the morning of one day is other on the morning of another: what moved from the first
 * on, or, where it was known later, what moved since taken off again. So an entered balance holds while new rows come.
 */
async function netChangeBetween(
  { at, tracked }: GridSeries,
  { known, before }: { known: string; before: string },
): Promise<number> {
  if (known === before) return 0
  const [from, end, sign] = known < before ? [known, before, 1] : [before, known, -1]
  const { total } = await readMetricSeries(at, tracked, { from, to: dayBefore(end) })
  return sign * (total.values.get('') ?? 0)
}
