import { booksOf } from './prepare-books'
import type { OnGrid } from './prepare-series'
import { seriesOf } from '../../access/series'
import type { Prepared } from '../../shared/forecast-result'
import type { ForecastSettings } from '../../shared/forecasts'
import { isoOfDay, dayOfIso } from '../../warehouse/query/days'

/** From when on all that came before is added up. */
const BEGINNING = '0001-01-01'

/**
 * What the figures add up to before the first period ahead, where they add up to a balance: as the person says; for figures of
 * a ledger the cash in its books; else the sum of all that came before. A running total is the sum of what it sums.
 * @throws ProductError what its questions are refused for
 */
export async function openingOf(
  figure: OnGrid,
  { settings, before }: { settings: ForecastSettings; before: string },
): Promise<Prepared['opening']> {
  const { at, tracked } = figure
  const { accumulate } = settings
  if (!tracked.additive || (accumulate === null && tracked.running !== 'never')) return null
  if (accumulate !== null && accumulate.opening !== null) return { value: accumulate.opening, source: 'person' }
  const to = isoOfDay((dayOfIso(before) ?? 0) - 1)
  const books = accumulate === null ? null : await booksOf(figure, to)
  if (books !== null) return { value: books, source: 'books' }
  const { total } = await seriesOf(at, tracked, { from: BEGINNING, to })
  return { value: total.values.get('') ?? 0, source: 'sum' }
}
