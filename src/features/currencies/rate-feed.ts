import { toIso } from '../../lib/iso'
import { DAY_MS, MINUTE_MS } from '../../shared/dates'
import { Temporal } from 'temporal-polyfill'
import { ECB_RATES_URL, fetchEcbRates, type EcbFile } from '../../outbound/ecb-rates'
import { rateFeedStore, type RateFeed } from './rate-feed-store'
import { SNAPSHOT, readSnapshotDays } from './snapshot/read'
import type { Deps } from '../../deps'
import type { Settings } from '../../settings'
import { log } from '../../lib/log'

/** When rates are looked for. The bank publishes towards 16:00 in Frankfurt, on days on which its payments run. */
const ZONE = 'Europe/Berlin'
const PUBLICATION_TIME = { hour: 16, minute: 15 }

/** The round that an instant (epoch ms) belongs to: the day of the last publication time before it, ISO. */
export function publicationDay(now: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE)
  const today = local.toPlainDate()
  const early = Temporal.PlainTime.compare(local.toPlainTime(), PUBLICATION_TIME) < 0
  return (early ? today.subtract({ days: 1 }) : today).toString()
}

const FRIDAY = 5
/** The newest day that should have rates in a round: that of the round, or the Friday before a weekend. */
function expectedDay(round: string): string {
  const day = Temporal.PlainDate.from(round)
  return day.subtract({ days: Math.max(0, day.dayOfWeek - FRIDAY) }).toString()
}

const QUARTER_DAYS = 80
/** The smallest file that holds every day after the last known one. */
export function chooseFile(last: string | null, expected: string): EcbFile {
  if (last === null) return 'history'
  const days = Temporal.PlainDate.from(last).until(expected, { largestUnit: 'days' }).days
  const overWeekend = Temporal.PlainDate.from(last).dayOfWeek === FRIDAY && days === 3
  if (days <= 1 || overWeekend) return 'daily'
  return days <= QUARTER_DAYS ? 'quarter' : 'history'
}

const LATE_TRIES = 8
/** Days without rates are holidays: after some hours the round is done without them. */
const isComplete = (newest: string | null, expected: string, tries: number): boolean =>
  (newest !== null && newest >= expected) || tries >= LATE_TRIES
/** Ms until a round is tried again: half an hour when the day is not there yet, longer each time when fetching failed. */
const retryDelay = (outcome: 'late' | 'failed', tries: number): number =>
  outcome === 'late' ? 30 * MINUTE_MS : Math.min(5 * MINUTE_MS * 2 ** Math.min(tries, 10), 360 * MINUTE_MS)

const LEASE_MS = MINUTE_MS
/** What was published in the last days is looked at again: the bank corrects itself now and then. */
const REFETCH_DAYS = 5
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
    await store.failed(now, now + retryDelay('failed', feed.tries))
  }
}

async function fetchRates(deps: FeedDeps, at: { feed: RateFeed; address: string; round: string }): Promise<void> {
  const { feed, round } = at
  const now = deps.clock.now()
  const store = rateFeedStore(deps.db)
  const expected = expectedDay(round)
  const after = feed.last === null ? '' : toIso(Date.parse(feed.last) - REFETCH_DAYS * DAY_MS).slice(0, 10)
  const ask = { file: chooseFile(feed.last, expected), after }
  const fetched = await fetchEcbRates({ address: at.address, fetcher: deps.operatorFetcher }, ask)
  const today = toIso(now).slice(0, 10)
  const days = fetched.filter(({ day }) => day <= today)
  if (days.length === 0 && feed.last === null) throw new Error('the file of rates holds none')
  const newest = days.reduce((last: string | null, { day }) => (last === null || day > last ? day : last), feed.last)
  const over = isComplete(newest, expected, feed.tries)
  await store.save(days, over ? { round, now } : { now, nextTryAt: now + retryDelay('late', feed.tries) })
}

/** The rates that come with the product, once. Fetched ones stay. */
async function loadSnapshot(deps: FeedDeps): Promise<RateFeed> {
  const store = rateFeedStore(deps.db)
  const known = await store.read()
  if (known && known.snapshot === SNAPSHOT) return known
  await store.load(await readSnapshotDays(), SNAPSHOT)
  const loaded = await store.read()
  if (!loaded) throw new Error('the rates have no row')
  return loaded
}
