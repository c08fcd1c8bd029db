import { moneyAsIs, moneyInto, timeKey } from './money-conversion'
import type { PlanAnalysis } from '../plan/check-plan'
import type { QueryRequest } from '../request'
import { hasCoveredCurrency } from './amount-currency'
import { conversionName, conversionOf, currencyLines, type ConversionTarget, type MoneyQuery } from './conversion-lines'
import { daysOf, moneyShown, moneyUses, splitsByCurrency, type MoneyUse } from './money-columns'
import type { MoneyConversion, PlanContext } from '../query-context'
import type { DayRange } from '../time/resolve-period'
import { CurrencyTotals } from '../../columns/money/currency-totals'
import { balanceDaysIn, currenciesNamed } from '../../columns/money/amount-groups'
import { findRateSet, type StoredRateSet } from '../../rate-store'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import type { CurrencyTotal, MissingRates, MixedCurrencyLine } from '../../../shared/currencies'
import type { CurrencyMode } from '../../../shared/query/currency-modes'
import { ProductError } from '../../../shared/errors'
import type { QueryPlan } from '../../../shared/query/plan'
import type { CurrencyConversion } from '../../../shared/query/result'

/** What a plan has to do with money. */
export interface MoneyUsage {
  uses: MoneyUse[]
  /** Of the answer's identity: the rates in force, and the day where rows have none. */
  identity: { rates: string; today: string | null } | null
}

export function moneyUsage(ask: QueryRequest, analysis: PlanAnalysis, find: PlanContext['find']): MoneyUsage {
  const { plan, calendar } = ask
  if (plan.kind === 'rows' && !plan.currency) return { uses: [], identity: null }
  const uses = plan.kind === 'rows' ? moneyShown(plan, analysis.home, find) : moneyUses(plan, analysis, find)
  if (!plan.currency) return { uses, identity: null }
  const dated = plan.period !== undefined || uses.every(({ fact }) => timeKey(find(fact) ?? { columns: [] }) !== null)
  return { uses, identity: { rates: ask.rates ?? '', today: dated ? null : calendar.today } }
}

/** How a question sees its amounts: the plan to answer, the money of its planContext, and what is told of rates beside. */
export interface MoneyView {
  plan: QueryPlan
  money: MoneyConversion | undefined
  /** Null: nothing is converted. */
  conversion: {
    tell: () => QuerySteps<CurrencyConversion>
    /** Is to see the rows that figures are worked out from; null where it is known what they come to. */
    beside: CurrencyTotals | null
  } | null
}

/** @throws ProductError `no_rate` with what is `wanted`; `mixed_currency` with the lines of each currency */
export function* moneyView(
  ask: QueryRequest,
  uses: readonly MoneyUse[],
  moneyQuery: MoneyQuery,
): QuerySteps<MoneyView> {
  const { plan } = ask
  const { currency } = plan
  if (plan.kind === 'rows' && (!currency || uses.length === 0)) return { plan, money: undefined, conversion: null }
  const covered = uses.filter(({ field }) => hasCoveredCurrency(ask.catalogue.find(field.dataset), field))
  // Rates would tell which currencies there are.
  if (currency && covered.length > 0) throw coveredCurrency()
  if (!currency) return yield* unconverted(plan, { uses, covered }, moneyQuery)
  const rates = yield* ratesFor(ask, uses, moneyQuery)
  const by = { ...currency, rates: (mode: CurrencyMode) => rates.get(mode) ?? NO_RATES }
  return { plan, money: moneyInto(by), conversion: keptConversion(uses, moneyQuery, { ...by, sets: rates }) }
}

/** What a question told is told again to others that count the same rows: of theirs, nothing is added up beside figures. */
function keptConversion(
  uses: readonly MoneyUse[],
  moneyQuery: MoneyQuery,
  { sets, ...by }: Omit<ConversionTarget, 'beside'> & { sets: ReadonlyMap<CurrencyMode, StoredRateSet> },
): NonNullable<MoneyView['conversion']> {
  const { conversions } = moneyQuery.columns
  const id = conversionName(uses, moneyQuery, sets)
  const known = conversions?.find(id)
  const beside = known ? null : new CurrencyTotals(uses, moneyQuery.plan)
  return {
    beside,
    *tell() {
      const told = known ?? (yield* conversionOf(uses, moneyQuery, { ...by, beside }))
      conversions?.read(id, () => told)
      return told
    },
  }
}

/** Of a way that nothing is converted in. */
const NO_RATES: StoredRateSet = { n: -1, scale: 0, bound: 1n }

/** The rates of each way in which amounts are converted. */
function* ratesFor(
  ask: QueryRequest,
  uses: readonly MoneyUse[],
  moneyQuery: MoneyQuery,
): QuerySteps<Map<CurrencyMode, StoredRateSet>> {
  const { currency } = ask.plan
  const own = currency?.mode ?? 'transaction'
  const modes = new Set(uses.map(({ mode }) => mode ?? own))
  const found = new Map<CurrencyMode, StoredRateSet>()
  for (const mode of modes) {
    const some = uses.filter((use) => (use.mode ?? own) === mode)
    const wanted = yield* ratesWanted(ask, some, { lines: moneyQuery, currency: { code: currency?.code ?? '', mode } })
    const rates = findRateSet(ask.sql, wanted.key)
    if (!rates) throw new ProductError('no_rate', { wanted })
    found.set(mode, rates)
  }
  return found
}

/** Currencies that are looked for in a column. */
const CODES_MAX = 200

function* ratesWanted(
  { plan, rates }: QueryRequest,
  uses: readonly MoneyUse[],
  { lines: ask, currency: { code, mode } }: { lines: MoneyQuery; currency: { code: string; mode: CurrencyMode } },
): QuerySteps<MissingRates> {
  const found: string[] = []
  for (const use of uses) found.push(...(yield* codesOf(use, ask)))
  const currencies = [...new Set(found)].filter((each) => each !== code).toSorted()
  const { planContext, period } = ask
  const facts = [...new Set(uses.map(({ fact }) => fact))]
  const balances: DayRange[] = []
  for (const fact of plan.period ? [] : facts) balances.push(...(yield* balanceDaysIn(planContext, fact, ask.columns)))
  const days = daysOf(uses, {
    plan,
    period,
    find: (id) => planContext.find(id),
    calendar: planContext.calendar,
    balances,
  })
  const key = [code, mode, rates ?? '', days.from, days.to, ...currencies].join(' ')
  return { key, code, mode, currencies, ...days }
}

/** The currencies that amounts of a use may be in. */
function* codesOf(
  { field: { dataset }, money }: MoneyUse,
  { planContext, plan, columns }: MoneyQuery,
): QuerySteps<string[]> {
  if ('code' in money) return [money.code]
  const named = yield* currenciesNamed(planContext, { dataset, column: money.column, plan }, columns)
  return named.slice(0, CODES_MAX).flatMap((each) => (each !== null && /^[A-Z]{3}$/.test(each) ? [each] : []))
}

/**
 * Amounts that no one asked to convert: each column must be in one currency over all rows that count, unless the plan
 * splits by it.
 */
function* unconverted(
  plan: QueryPlan,
  { uses, covered }: { uses: readonly MoneyUse[]; covered: readonly MoneyUse[] },
  moneyQuery: MoneyQuery,
): QuerySteps<MoneyView> {
  const seen: { use: MoneyUse; found: CurrencyTotal[] }[] = []
  for (const use of uses) if ('column' in use.money) seen.push({ use, found: yield* currencyLines(use, moneyQuery) })
  if (seen.some(({ use, found }) => covered.includes(use) && found.length > 1)) throw coveredCurrency()
  const apart = seen.filter(({ use }) => splitsByCurrency(plan, use))
  const together = seen.filter((each) => !apart.includes(each))
  refuseMixed(plan, together)
  const sole: SoleCurrency[] = seen.map(({ use, found }) => ({
    use,
    code: found.length === 1 && !covered.includes(use) ? (found[0]?.currency ?? null) : null,
  }))
  const money = moneyAsIs(
    ({ dataset, column }) =>
      sole.find(({ use }) => use.field.dataset === dataset && use.field.column === column)?.code ?? null,
  )
  const mixes = apart.some(({ found }) => found.length > 1)
  return { plan: mixes ? { ...plan, totals: false } : plan, money, conversion: null }
}
const coveredCurrency = (): ProductError =>
  new ProductError(
    'forbidden',
    { reason: 'dataAccess' },
    'Amounts in currencies that you can’t see can’t be added or converted. Ask an admin.',
  )

interface SoleCurrency {
  use: MoneyUse
  code: string | null
}

function refuseMixed(plan: QueryPlan, seen: readonly { use: MoneyUse; found: CurrencyTotal[] }[]): void {
  const lines: MixedCurrencyLine[] = plan.measures.flatMap((_, measure) => {
    const own = seen.filter(({ use }) => use.measures.includes(measure))
    const codes = new Set(own.flatMap(({ found }) => found.map(({ currency }) => currency)))
    return codes.size > 1 ? (own[0]?.found ?? []).map((line) => ({ ...line, measure })) : []
  })
  if (lines.length === 0) return
  const currencies = [...new Set(seen.flatMap(({ found }) => found.flatMap(({ currency }) => currency ?? [])))]
  throw new ProductError('mixed_currency', { currencies: currencies.toSorted(), lines })
}
