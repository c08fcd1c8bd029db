import { Temporal } from 'temporal-polyfill'
import type { z } from 'zod'
import { ratesUrl } from './rate-feed'
import { currencyStore, type OwnRateContent } from './store'
import { calendarOf } from '../../semantic/calendar'
import { createRateLookup, formatRate } from '../../semantic/currency/exchange-rates'
import { publishedRatesFromRow } from '../../semantic/currency/rate-store'
import { auditEntryFactory, commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { OWN_RATES_MAX, RATE_GAP_DAYS } from '../../shared/currencies'
import type {
  createOwnRateSchema,
  CurrencySettings,
  listRateDaysSchema,
  OwnRate,
  RateDays,
  RatesOverview,
  updateOwnRateSchema,
} from '../../shared/currencies'
import { ProductError } from '../../shared/errors'
import { dayFromIso } from '../../shared/dates'

const storeOf = ({ deps, scope }: RequestContext) => currencyStore(deps.db, scope)
const GAP_YEARS = 2

export async function ratesOverview(context: RequestContext): Promise<RatesOverview> {
  const { deps, membership } = context
  const store = storeOf(context)
  const { today } = calendarOf(membership, deps.clock)
  const since = Temporal.PlainDate.from(today).subtract({ years: GAP_YEARS }).toString()
  const [settings, feed, gaps, own] = await Promise.all([
    store.settings(),
    store.feed(),
    store.gaps(since, RATE_GAP_DAYS),
    store.list(),
  ])
  const stretches = feed.last === null ? gaps : [...gaps, { from: feed.last, to: today }]
  const codes: Record<string, string> = JSON.parse(feed.codes ?? '{}')
  return {
    settings,
    currencies: ['EUR', ...Object.keys(codes)].toSorted(),
    first: feed.first,
    last: feed.last,
    source: feed.source ?? 'ecb',
    fetchedAt: toIsoOrNull(feed.fetchedAt),
    failingSince: toIsoOrNull(feed.failingSince),
    fetching: ratesUrl(deps.settings) !== null,
    gaps: stretches
      .map(({ from, to }) => ({
        from,
        to,
        days: Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days,
      }))
      .filter(({ days }) => days > RATE_GAP_DAYS),
    own,
  }
}

/** About a year of banking days: a table that sorts all of them reads them to their end. */
const PAGE_DAYS = 250
const LAST_DAY = '9999-12-31'

/** Rates of a pair by day, newest first: what the workspace set in place of what was published. */
export async function rateDays(context: RequestContext, asked: z.output<typeof listRateDaysSchema>): Promise<RateDays> {
  const { base, quote, from = '0000-01-01', to = LAST_DAY, before } = asked
  const past = nextDay(to)
  const at = { from, before: before !== undefined && before < past ? before : past, limit: PAGE_DAYS + 1 }
  const [rows, own] = await Promise.all([storeOf(context).days(at), storeOf(context).overrides(base, quote)])
  const page = rows.slice(0, PAGE_DAYS)
  const set = own.map((rate) => ({ ...rate, from: dayFromIso(rate.from) ?? 0, to: dayFromIso(rate.to) ?? 0 }))
  const pair = createRateLookup(
    { days: page.map(publishedRatesFromRow).toReversed(), own: set },
    { from: base, to: quote },
    'transaction',
  )
  const days = page.flatMap(({ day }) => {
    const n = dayFromIso(day) ?? 0
    const rate = pair.at(n)
    if (!rate || rate.to !== n) return []
    const reason =
      rate.source === 'manual' ? (set.findLast((each) => each.from <= n && n <= each.to)?.reason ?? null) : null
    return [{ day, rate: formatRate(rate.n), source: rate.source, reason }]
  })
  return { days, next: rows.length > PAGE_DAYS ? (page.at(-1)?.day ?? null) : null }
}
const nextDay = (iso: string): string =>
  iso >= LAST_DAY ? LAST_DAY : Temporal.PlainDate.from(iso).add({ days: 1 }).toString()

/** @throws ProductError `version_conflict` */
export async function saveSettings(context: RequestContext, input: CurrencySettings): Promise<CurrencySettings> {
  const store = storeOf(context)
  const after = { ...input, version: input.version + 1 }
  await commit(context.deps, {
    change: [store.saveSettings(input)],
    audit: [auditOf(context, { action: 'rate.settings', id: context.scope.workspaceId, after })],
    reply: context.reply(after),
    expect: { onMissed: async () => new ProductError('version_conflict', { current: await store.settings() }) },
  })
  return after
}

/** A rate by its pair and its days, as the audit log tells it. */
const named = <T extends Pick<OwnRateContent, 'base' | 'quote' | 'from' | 'to'>>(rate: T): T & { name: string } => ({
  ...rate,
  name: `${rate.base}/${rate.quote}, ${rate.from} to ${rate.to}`,
})

/** @throws ProductError `limit_reached` when the workspace holds all it may */
export async function createOwnRate(
  context: RequestContext,
  input: z.output<typeof createOwnRateSchema>,
): Promise<OwnRate> {
  const { deps } = context
  const store = storeOf(context)
  const content: OwnRateContent = { ...input, id: deps.ids.next('rate') }
  const made = toOwnRate(context, content, 1)
  await commit(deps, {
    change: [store.insert(content, deps.clock.now()), store.changed()],
    audit: [auditOf(context, { action: 'rate.create', id: content.id, after: named(content) })],
    reply: context.reply(made),
    expect: { onMissed: () => limitReached(context) },
  })
  return made
}

/** @throws ProductError `not_found`, `version_conflict` */
export async function updateOwnRate(
  context: RequestContext,
  change: { id: string; input: z.output<typeof updateOwnRateSchema> },
): Promise<OwnRate> {
  const { deps } = context
  const store = storeOf(context)
  const { version, ...input } = change.input
  const before = await requireOwnRate(context, change.id)
  const content: OwnRateContent = { ...input, id: change.id }
  const after = toOwnRate(context, content, version + 1)
  await commit(deps, {
    change: [store.update(content, { version, now: deps.clock.now() }), store.changed()],
    audit: [
      auditOf(context, {
        ...{ action: 'rate.update', id: change.id },
        ...{ before: named(before), after: named(content) },
      }),
    ],
    reply: context.reply(after),
    expect: { onMissed: () => versionConflict(context, change.id) },
  })
  return after
}

/** @throws ProductError `not_found`, `version_conflict` */
export async function removeOwnRate(context: RequestContext, at: { id: string; version: number }): Promise<OwnRate> {
  const store = storeOf(context)
  const before = await requireOwnRate(context, at.id)
  await commit(context.deps, {
    change: [store.remove(at.id, at.version), store.changed()],
    audit: [auditOf(context, { action: 'rate.remove', id: at.id, before: named(before) })],
    reply: context.reply(before),
    expect: { onMissed: () => versionConflict(context, at.id) },
  })
  return before
}

async function requireOwnRate(context: RequestContext, id: string): Promise<OwnRate> {
  const rate = await storeOf(context).get(id)
  if (!rate) throw new ProductError('not_found')
  return rate
}
const versionConflict = async (context: RequestContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await requireOwnRate(context, id) })

async function limitReached(context: RequestContext): Promise<ProductError> {
  const used = await storeOf(context).count()
  const message = `A workspace has up to ${OWN_RATES_MAX} rates of its own. Remove one that is not needed.`
  return new ProductError('limit_reached', { limit: 'ownRates', used, max: OWN_RATES_MAX }, message)
}

const toOwnRate = ({ deps, actor }: RequestContext, content: OwnRateContent, version: number): OwnRate => ({
  ...content,
  byName: actor.name,
  updatedAt: toIso(deps.clock.now()),
  version,
})

/** As open pages are told of it. */
const auditOf = auditEntryFactory('rates')
