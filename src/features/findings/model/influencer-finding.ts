import type { DetectedFinding, FindingCondition, FindingMember, SentencePart } from '../../../shared/findings'
import type { Field } from '../../../shared/query/field'
import { formatNumberAtScale } from './decimals'
import { excess, type Influencer, type Segment } from './influencers'
import type { AnalysisWindow } from '../analysis-window'

interface OutcomeNaming {
  subject: string
  /** The outcome: "Profit below zero". */
  label: string
  window: AnalysisWindow
  names: ReadonlyMap<string, { label: string; field: Field; isShare: boolean }>
}

const DECIMALS = 6

/** What goes with an outcome of rows, told as a share beside that of the rest, never as its cause. */
export function outcomeFinding(one: Influencer, naming: OutcomeNaming): DetectedFinding {
  const { rate, rest, p } = one
  const text = (value: number): string => formatNumberAtScale(value, DECIMALS)
  const { window } = naming
  const isMore = rate > rest
  const stake = Math.abs(excess(one)) / Math.max(1, one.hits + Math.abs(excess(one)))
  return {
    subject: naming.subject,
    kind: 'influencer',
    member: memberOf(one.segment, naming),
    conditions: conditionsOf(one.segment, naming),
    period: { from: window.buckets[0] ?? window.from, to: window.buckets.at(-1) ?? window.to, grain: window.grain },
    against: 'rest',
    comparison: null,
    statistic: { name: 'proportions', value: one.z },
    effect: {
      value: text(rate),
      previous: text(rest),
      change: text(Number(text(rate)) - Number(text(rest))),
      percent: rest > 0 ? rate / rest - 1 : null,
    },
    n: one.rows,
    p,
    q: p,
    confidence: 1 - p,
    // Weight by how much more there is of it, and how much of all of it.
    score: (1 - p) * 0.9 * Math.sqrt(stake) * (isMore ? 1 : 0.5),
    tone: isMore ? 'bad' : 'good',
    contributions: [],
    sentence: sentenceOf(one, naming),
  }
}

function memberOf({ kind, keys, values }: Segment, { names }: OutcomeNaming): FindingMember | null {
  const [key] = keys
  const name = kind === 'value' && key !== undefined ? names.get(key) : undefined
  const [value = null] = values
  return name && key !== undefined ? { dimension: key, label: name.label, value } : null
}

function conditionsOf({ kind, keys, values, side }: Segment, { names }: OutcomeNaming): FindingCondition[] {
  return keys.flatMap((key, at): FindingCondition[] => {
    const field = names.get(key)?.field
    if (!field) return []
    const op = kind === 'range' ? (side === 'from' ? 'ge' : 'lt') : 'eq'
    return [{ field, op, value: values[at] ?? null }]
  })
}

/** "Discount from 0.3", "South", "South and Tables". */
function segmentParts({ kind, keys, values, side }: Segment, { names }: OutcomeNaming): SentencePart[] {
  return keys.flatMap((key, at): SentencePart[] => {
    const { label = key, isShare = false } = names.get(key) ?? {}
    const value = values[at] ?? null
    const joined: SentencePart[] = at > 0 ? [{ text: ' and ' }] : []
    if (kind === 'range')
      return [
        { text: `${label} ${side === 'from' ? 'from' : 'below'} ` },
        { figure: Number(value), format: isShare ? 'share' : 'plain' },
      ]
    return [...joined, { member: { dimension: key, label, value } }]
  })
}

/** Limits further apart than this say that the rest has hardly any. */
const INTERVAL_MAX = 100

function sentenceOf(one: Influencer, naming: OutcomeNaming): SentencePart[] {
  const { rows, rate, rest, lift } = one
  const start: SentencePart[] = [
    ...segmentParts(one.segment, naming),
    { text: `: ${naming.label} in ` },
    { figure: round(rate), format: 'share' },
    { text: ' of ' },
    { figure: rows, format: 'count' },
    { text: ' records vs ' },
    { figure: round(rest), format: 'share' },
    { text: ' of the rest' },
  ]
  if (!lift || !(lift.to <= INTERVAL_MAX * lift.from)) return [...start, { text: '.' }]
  return [
    ...start,
    { text: ', ' },
    { figure: tenth(lift.value), format: 'plain' },
    { text: ' times as often (95 % interval ' },
    { figure: tenth(lift.from), format: 'plain' },
    { text: '–' },
    { figure: tenth(lift.to), format: 'plain' },
    { text: ').' },
  ]
}
const round = (share: number): number => Math.round(share * 1000) / 1000
const tenth = (value: number): number => (value < 2 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10)
