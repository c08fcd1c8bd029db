import { rateFeedStore } from './feed-store'
import type { RateFeed } from './feed-store'
import { expectedDay, chooseFile, isComplete, retryDelay, publicationDay } from './model/rounds'
import { SNAPSHOT, readSnapshotDays } from './snapshot/read'
import type { Deps } from '../../deps'
import type { Settings } from '../../env'
import { log } from '../../lib/log'
import { ECB_RATES_URL, fetchEcbRates } from '../../outbound/ecb-rates'

const LEASE_MS = 60_000
/** What was published in the last days is looked at again: the bank corrects itself now and then. */
const REFETCH_DAYS = 5
const DAY_MS = 86_400_000
type FeedDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'operatorFetcher'>

/** Where rates are fetched from; null: nowhere. On a person's own machine only from an address that was set. */
export const ratesUrl = ({ RATES_FETCH, RATES_URL, LOCAL_MODE }: Settings): string | null =>
  RATES_FETCH ? (RATES_URL ?? (LOCAL_MODE ? null : ECB_RATES_URL)) : null

/**
 * Sees to the published rates: those that come with the product once, then the bank's, once a round, however often it
 * is called. After days asleep one call fetches what was missed. What fails leaves the last good rates in force.
 */
export async function refreshRates(deps: FeedDeps): Promise<void> {
  const feed = await loadSnapshot(deps)
  const address = ratesUrl(deps.settings)
  const now = deps.clock.now()
  const round = publicationDay(now)
  if (address === null || feed.round >= round || feed.nextTryAt > now || feed.leaseUntil > now) return
  const store = rateFeedStore(deps.db)
  if (!(await store.claim(round, { now, until: now + LEASE_MS }))) return
  try {
    await fetchRates(deps, { feed, address, round })
  } catch (error) {
    log('warn', 'rates were not fetched', { error: error instanceof Error ? error.message : String(error) })
    await store.failed(now, now + retryDelay('failed', feed.tries)).run()
  }
}

async function fetchRates(deps: FeedDeps, at: { feed: RateFeed; address: string; round: string }): Promise<void> {
  const { feed, round } = at
  const now = deps.clock.now()
  const store = rateFeedStore(deps.db)
  const expected = expectedDay(round)
  const after =
    feed.last === null ? '' : new Date(Date.parse(feed.last) - REFETCH_DAYS * DAY_MS).toISOString().slice(0, 10)
  const ask = { file: chooseFile(feed.last, expected), after }
  const fetched = await fetchEcbRates({ address: at.address, fetcher: deps.operatorFetcher }, ask)
  const today = new Date(now).toISOString().slice(0, 10)
  const days = fetched.filter(({ day }) => day <= today)
  if (days.length === 0 && feed.last === null) throw new Error('the file of rates holds none')
  const newest = days.reduce((last: string | null, { day }) => (last === null || day > last ? day : last), feed.last)
  const over = isComplete(newest, expected, feed.tries)
  const end = over ? store.done(round, now) : store.late(now, now + retryDelay('late', feed.tries))
  await deps.db.d1.batch([...store.write(days, { correct: true }), end])
}

/** The rates that come with the product, once. Fetched ones stay. */
async function loadSnapshot(deps: FeedDeps): Promise<RateFeed> {
  const store = rateFeedStore(deps.db)
  const known = await store.read()
  if (known && known.snapshot === SNAPSHOT) return known
  const days = await readSnapshotDays()
  await deps.db.d1.batch([store.begin(), ...store.write(days, { correct: false }), store.loaded(SNAPSHOT)])
  const loaded = await store.read()
  if (!loaded) throw new Error('the rates have no row')
  return loaded
}
