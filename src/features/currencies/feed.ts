import { feedStore } from './feed-store'
import type { Feed } from './feed-store'
import { expectedDay, fileFor, isDone, pauseAfter, roundOf } from './model/rounds'
import { SNAPSHOT, snapshotDays } from './snapshot/read'
import type { Deps } from '../../deps'
import type { Settings } from '../../env'
import { log } from '../../lib/log'
import { ECB_RATES_URL, fetchEcbDays } from '../../outbound/ecb-rates'

const LEASE_MS = 60_000
/** What was published in the last days is looked at again: the bank corrects itself now and then. */
const AGAIN_DAYS = 5
const DAY_MS = 86_400_000
type FeedDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'operatorFetcher'>

/** Where rates are fetched from; null: nowhere. On a person's own machine only from an address that was set. */
export const ratesAddress = ({ RATES_FETCH, RATES_URL, LOCAL_MODE }: Settings): string | null =>
  RATES_FETCH ? (RATES_URL ?? (LOCAL_MODE ? null : ECB_RATES_URL)) : null

/**
 * Sees to the published rates: those that come with the product once, then the bank's, once a round, however often it
 * is called. After days asleep one call fetches what was missed. What fails leaves the last good rates in force.
 */
export async function refreshRates(deps: FeedDeps): Promise<void> {
  const feed = await loadSnapshot(deps)
  const address = ratesAddress(deps.settings)
  const now = deps.clock.now()
  const round = roundOf(now)
  if (address === null || feed.round >= round || feed.nextTryAt > now || feed.leaseUntil > now) return
  const store = feedStore(deps.db)
  if (!(await store.claim(round, { now, until: now + LEASE_MS }))) return
  try {
    await fetchRound(deps, { feed, address, round })
  } catch (error) {
    log('warn', 'rates were not fetched', { error: error instanceof Error ? error.message : String(error) })
    await store.failed(now, now + pauseAfter('failed', feed.tries)).run()
  }
}

async function fetchRound(deps: FeedDeps, at: { feed: Feed; address: string; round: string }): Promise<void> {
  const { feed, round } = at
  const now = deps.clock.now()
  const store = feedStore(deps.db)
  const expected = expectedDay(round)
  const after =
    feed.last === null ? '' : new Date(Date.parse(feed.last) - AGAIN_DAYS * DAY_MS).toISOString().slice(0, 10)
  const ask = { file: fileFor(feed.last, expected), after }
  const fetched = await fetchEcbDays({ address: at.address, fetcher: deps.operatorFetcher }, ask)
  const today = new Date(now).toISOString().slice(0, 10)
  const days = fetched.filter(({ day }) => day <= today)
  if (days.length === 0 && feed.last === null) throw new Error('the file of rates holds none')
  const newest = days.reduce((last: string | null, { day }) => (last === null || day > last ? day : last), feed.last)
  const over = isDone(newest, expected, feed.tries)
  const end = over ? store.done(round, now) : store.late(now, now + pauseAfter('late', feed.tries))
  await deps.db.d1.batch([...store.write(days, { correct: true }), end])
}

/** The rates that come with the product, once. Fetched ones stay. */
async function loadSnapshot(deps: FeedDeps): Promise<Feed> {
  const store = feedStore(deps.db)
  const known = await store.read()
  if (known && known.snapshot === SNAPSHOT) return known
  const days = await snapshotDays()
  await deps.db.d1.batch([store.begin(), ...store.write(days, { correct: false }), store.loaded(SNAPSHOT)])
  const loaded = await store.read()
  if (!loaded) throw new Error('the rates have no row')
  return loaded
}
