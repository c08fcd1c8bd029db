import type { Contribution, ContributionTable } from '../../../shared/findings'
import type { Cell } from '../../../shared/query/result'
import { formatDecimal, decimalToNumber, toDecimalUnits } from './decimals'
import { seriesDecimals, sumOverRange } from './subject'
import type { SubjectSeries, AnalysisSubject, SubjectDimension, BucketRange } from './subject'

/** Lines told one by one; the others stand together. */
const LINES_MAX = 12
/** Decimals of the parts of a ratio's change. */
const RATIO_SCALE = 12

export interface WindowComparison {
  now: BucketRange
  then: BucketRange
}
interface SumLine {
  /** Undefined: the others. */
  member?: Cell
  others: number
  now: bigint
  then: bigint
}
const absoluteUnits = (units: bigint): bigint => (units < 0n ? -units : units)
const largestFirst = (a: bigint, b: bigint): number =>
  absoluteUnits(a) === absoluteUnits(b) ? 0 : absoluteUnits(a) > absoluteUnits(b) ? -1 : 1
const memberSortKey = (member: Cell | undefined): string => JSON.stringify(member ?? null)
const byMember = (a: { member?: Cell }, b: { member?: Cell }): number => {
  const [one, other] = [memberSortKey(a.member), memberSortKey(b.member)]
  return one === other ? 0 : one < other ? -1 : 1
}

/**
 * What each member of a dimension accounts for in the change of a sum. The line of the others is what is left of the
 * total, so that the lines add up to its change exactly, whatever rounding the figures came with.
 */
function additiveTable(
  subject: AnalysisSubject,
  dimension: SubjectDimension,
  { now, then }: WindowComparison,
): ContributionTable {
  const scale = seriesDecimals(subject.total, subject.scale)
  const of = (series: SubjectSeries, bucketRange: BucketRange): bigint =>
    sumOverRange(series, { window: bucketRange, scale })
  const all = dimension.members
    .map(({ member, series }): SumLine => ({ member, others: 0, now: of(series, now), then: of(series, then) }))
    .toSorted((a, b) => largestFirst(a.now - a.then, b.now - b.then) || byMember(a, b))
  const told = all.slice(0, LINES_MAX)
  const sum = (lines: readonly SumLine[], key: 'now' | 'then'): bigint =>
    lines.reduce((total, line) => total + line[key], 0n)
  const left: SumLine = {
    now: of(subject.total, now) - sum(told, 'now'),
    then: of(subject.total, then) - sum(told, 'then'),
    others: all.length - told.length + (dimension.other?.members ?? 0),
  }
  const lines = left.now !== 0n || left.then !== 0n || left.others > 0 ? [...told, left] : told
  return {
    dimension: dimension.key,
    label: dimension.label,
    lines: lines.map(({ member, others, now: units, then: before }): Contribution => ({
      ...(member === undefined ? { others } : { member }),
      previous: formatDecimal({ units: before, scale }),
      value: formatDecimal({ units, scale }),
      change: formatDecimal({ units: units - before, scale }),
    })),
  }
}

interface RatioPart {
  member?: Cell
  others: number
  over: { now: number; then: number }
  under: { now: number; then: number }
}
interface RatioEffects {
  change: number
  rate: number
  mix: number
}

/**
 * What a member accounts for in the change of R = ΣN/ΣD, taken at the midpoint (Bennet 1920; as in shift–share analysis):
 * with weights w = D_i/D and own ratios r = N_i/D_i, rate = w̄·Δr and mix = Δw·(r̄ − R̄); bars are the means of then and
 * now. ΣΔw = 0, so Σ(rate + mix) = ΔR. A member without a denominator in one of the two has the other's ratio there:
 * all of it is mix.
 */
export function ratioEffects(
  { over, under }: Pick<RatioPart, 'over' | 'under'>,
  whole: Pick<RatioPart, 'over' | 'under'>,
): RatioEffects {
  const weight = { now: under.now / whole.under.now, then: under.then / whole.under.then }
  const share = { now: over.now / whole.under.now, then: over.then / whole.under.then }
  const own = {
    now: under.now === 0 ? (under.then === 0 ? 0 : over.then / under.then) : over.now / under.now,
    then: under.then === 0 ? (under.now === 0 ? 0 : over.now / under.now) : over.then / under.then,
  }
  const middle = (whole.over.now / whole.under.now + whole.over.then / whole.under.then) / 2
  const shift = weight.now - weight.then
  const mix = shift * ((own.now + own.then) / 2 - middle)
  const change = share.now - share.then - shift * middle
  return { change, rate: change - mix, mix }
}

const ratioText = ({ over, under }: RatioPart, key: 'now' | 'then'): string | null =>
  under[key] === 0
    ? null
    : formatDecimal({ units: toDecimalUnits(over[key] / under[key], RATIO_SCALE) ?? 0n, scale: RATIO_SCALE })

function ratioParts(
  subject: AnalysisSubject,
  dimension: SubjectDimension,
  { now, then }: WindowComparison,
): { whole: RatioPart; parts: RatioPart[] } {
  const under: SubjectSeries = subject.under ?? { value: [], count: [] }
  const scales = {
    over: seriesDecimals(subject.total, subject.scale),
    under: seriesDecimals(under, undefined),
  }
  const of = (series: SubjectSeries | undefined, scale: number): { now: number; then: number } => ({
    now: series ? decimalToNumber({ units: sumOverRange(series, { window: now, scale }), scale }) : 0,
    then: series ? decimalToNumber({ units: sumOverRange(series, { window: then, scale }), scale }) : 0,
  })
  const whole = { others: 0, over: of(subject.total, scales.over), under: of(under, scales.under) }
  const parts = dimension.members.map((one): RatioPart => ({
    member: one.member,
    others: 0,
    over: of(one.series, scales.over),
    under: of(one.under, scales.under),
  }))
  return { whole, parts }
}

/** All members of a ratio that are not told, as one. */
function remainderOf(whole: RatioPart, { told, others }: { told: readonly RatioPart[]; others: number }): RatioPart {
  const left = (side: 'over' | 'under', key: 'now' | 'then'): number => {
    const value = told.reduce((rest, part) => rest - part[side][key], whole[side][key])
    return Math.abs(value) <= 1e-12 * Math.abs(whole[side][key]) * (told.length + 1) ? 0 : value
  }
  return {
    others,
    over: { now: left('over', 'now'), then: left('over', 'then') },
    under: { now: left('under', 'now'), then: left('under', 'then') },
  }
}

function ratioTable(
  subject: AnalysisSubject,
  dimension: SubjectDimension,
  windows: WindowComparison,
): ContributionTable | null {
  const { whole, parts } = ratioParts(subject, dimension, windows)
  if (whole.under.now === 0 || whole.under.then === 0) return null
  const ranked = parts
    .map((part) => ({ part, ...ratioEffects(part, whole) }))
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change) || byMember(a.part, b.part))
  const told = ranked.slice(0, LINES_MAX).map(({ part }) => part)
  const others = ranked.length - told.length + (dimension.other?.members ?? 0)
  const rest = remainderOf(whole, { told, others })
  const isLeft =
    others > 0 || [rest.over.now, rest.over.then, rest.under.now, rest.under.then].some((left) => left !== 0)
  const units = (value: number): bigint => toDecimalUnits(value, RATIO_SCALE) ?? 0n
  const lines = (isLeft ? [...told, rest] : told).map((part) => {
    const { rate, mix } = ratioEffects(part, whole)
    return { part, rate: units(rate), mix: units(mix) }
  })
  const change = units(whole.over.now / whole.under.now) - units(whole.over.then / whole.under.then)
  const last = lines.at(-1)
  // What rounding of the lines left over, a few units of the last decimal.
  if (last) last.rate += change - lines.reduce((sum, { rate, mix }) => sum + rate + mix, 0n)
  const text = (value: bigint): string => formatDecimal({ units: value, scale: RATIO_SCALE })
  return {
    dimension: dimension.key,
    label: dimension.label,
    lines: lines.map(({ part, rate, mix }): Contribution => ({
      ...(part.member === undefined ? { others: part.others } : { member: part.member }),
      previous: ratioText(part, 'then'),
      value: ratioText(part, 'now'),
      change: text(rate + mix),
      rate: text(rate),
      mix: text(mix),
    })),
  }
}

/** The change between two windows of the same length, as exact decimals; null where one of them has no figure. */
export function changeBetween(
  subject: AnalysisSubject,
  { now, then }: WindowComparison,
): { value: string; previous: string; change: string } | null {
  const { under } = subject
  if (!under && !subject.additive) return null
  const scale = under ? RATIO_SCALE : seriesDecimals(subject.total, subject.scale)
  const of = (bucketRange: BucketRange): bigint | null => {
    const own = seriesDecimals(subject.total, subject.scale)
    const units = sumOverRange(subject.total, { window: bucketRange, scale: own })
    if (!under) return units
    const lower = seriesDecimals(under, undefined)
    const below = decimalToNumber({ units: sumOverRange(under, { window: bucketRange, scale: lower }), scale: lower })
    return below === 0 ? null : toDecimalUnits(decimalToNumber({ units, scale: own }) / below, RATIO_SCALE)
  }
  const [value, previous] = [of(now), of(then)]
  if (value === null || previous === null) return null
  const text = (units: bigint): string => formatDecimal({ units, scale })
  return { value: text(value), previous: text(previous), change: text(value - previous) }
}

/** A line of rows that have no value here says where they are not. */
const tellsOfAMember = (line: ContributionTable['lines'][number] | undefined): boolean =>
  line?.others === undefined && line?.member !== null && line?.member !== ''

/**
 * How much more of the change a member accounts for than its size would: a large member that moves as all others do tells
 * nothing.
 */
function explanatoryPower({ lines }: ContributionTable): number {
  const all = (of: (line: Contribution) => number): number => lines.reduce((sum, line) => sum + of(line), 0)
  const sizeOf = ({ value, previous }: Contribution): number => Math.abs(Number(value)) + Math.abs(Number(previous))
  const changeOf = ({ change }: Contribution): number => Math.abs(Number(change))
  const [size, change] = [all(sizeOf), all(changeOf)]
  if (change === 0) return 0
  const isRatio = lines.some(({ rate }) => rate !== undefined)
  const usual = (line: Contribution): number => (isRatio || size === 0 ? 1 / lines.length : sizeOf(line) / size)
  const members = lines.filter(tellsOfAMember)
  const told = members.reduce((sum, line) => sum + changeOf(line), 0) / change
  const beyond = (least: (line: Contribution) => number): number =>
    Math.max(0, ...members.map((line) => changeOf(line) / change - least(line)))
  // Of splits that tell alike, the one with the largest part.
  return told * (beyond(usual) + 0.1 * beyond(() => 1 / lines.length))
}

/** What weights account for in the change of a ratio, of all its members. */
export const totalMixEffect = ({ lines }: ContributionTable): number =>
  lines.reduce((sum, { mix = '0' }) => sum + Number(mix), 0)

/** The tables of all dimensions: those a person has chosen first, then the most telling. */
export function contributionTables(subject: AnalysisSubject, windows: WindowComparison): ContributionTable[] {
  if (!subject.additive && !subject.under) return []
  const own = new Set(subject.dimensions.flatMap(({ key, isChosen }) => (isChosen ? [key] : [])))
  return subject.dimensions
    .flatMap((dimension) =>
      subject.under ? (ratioTable(subject, dimension, windows) ?? []) : [additiveTable(subject, dimension, windows)],
    )
    .filter(({ lines }) => lines.length > 1)
    .map((table) => ({ table, telling: explanatoryPower(table), isOwn: own.has(table.dimension) }))
    .toSorted(
      (a, b) =>
        Number(b.isOwn) - Number(a.isOwn) || b.telling - a.telling || (a.table.dimension < b.table.dimension ? -1 : 1),
    )
    .map(({ table }) => table)
}
