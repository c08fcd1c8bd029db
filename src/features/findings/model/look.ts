import type { FindingMember, FoundEffect } from '../../../shared/findings'
import { numberOf, textOfNumber } from './amounts'
import { decimalsOf } from './span'
import { contributionsOf, changeOf } from './contributions'
import type { Comparison } from './contributions'
import { meanOf } from './robust'
import type { Subject } from './subject'
import type { Frames } from './prepared'
import type { Candidate } from './tested'

/** One figure that is looked at: the subject's total, or one member as if it were a subject of its own. */
export interface Look {
  subject: Subject
  member: FindingMember | null
  /** Buckets with figures of the whole subject. */
  span: { from: number; to: number }
  frames: Frames
  /** The usual size of the whole subject's figure; of a member's own. */
  usual: { whole: number; own: number }
  /** Of a member: what all members say of how heavy the tails of errors are. */
  tails?: readonly number[] | undefined
}

/** The usual size of a figure: the mean of its absolute values. */
export function usualOf({ total, under }: Pick<Subject, 'total' | 'under'>): number {
  const sizes = (values: Subject['total']['value']): number => meanOf(values.map((one) => Math.abs(numberOf(one) ?? 0)))
  const below = under ? sizes(under.value) : 1
  return below > 0 ? sizes(total.value) / below : 0
}

/** Decimals of figures that are worked out. */
export const decimalsFor = ({ total, under, scale }: Subject): number =>
  under ? 12 : Math.min(12, Math.max(4, decimalsOf(total, scale)))

const isSameWay = (previous: number, value: number): boolean => previous !== 0 && previous * value >= 0

/** `change` as a fraction of `previous`, where that says something. */
export const percentOf = (value: number, previous: number): number | null => {
  const fraction = (value - previous) / Math.abs(previous)
  return isSameWay(previous, value) && Number.isFinite(fraction) ? fraction : null
}

/** An effect between two figures that were worked out. */
export function effectBetween(
  look: Look,
  { value, previous }: { value: number; previous: number },
): FoundEffect['effect'] {
  const scale = decimalsFor(look.subject)
  const [now, then] = [textOfNumber(value, scale), textOfNumber(previous, scale)]
  return {
    value: now,
    previous: then,
    change: textOfNumber(Number(now) - Number(then), scale),
    percent: percentOf(value, previous),
  }
}

/** An effect between two windows of the rows themselves, exact, with what it is made of; null where there is no figure. */
export function effectOf(look: Look, windows: Comparison): Pick<FoundEffect, 'effect' | 'contributions'> | null {
  const change = changeOf(look.subject, windows)
  if (!change) return null
  return {
    effect: { ...change, percent: percentOf(Number(change.value), Number(change.previous)) },
    contributions: contributionsOf(look.subject, windows),
  }
}

/** By the favourable direction, whether a change of this sign is good. */
export function toneOf({ direction }: Subject, change: number): FoundEffect['tone'] {
  if (direction === 'none' || change === 0) return 'neutral'
  return change > 0 === (direction === 'up') ? 'good' : 'bad'
}

/** |effect| of the ranking from a change in one bucket: beside the whole and, for a member, beside its own size too. */
export function weightOf({ usual, member, subject }: Look, change: number): number {
  const beside = (size: number): number => (size > 0 ? Math.abs(change) / size : 0)
  const own = beside(usual.own)
  const isPart = subject.additive && !subject.under
  const size = member === null ? own : Math.sqrt(own * (isPart ? beside(usual.whole) : own * 0.3))
  return Number.isFinite(size) ? size / (size + 0.2) : 1
}

/** How new something is that began `age` buckets ago, where `half` of them make it half as new. */
export const noveltyOf = (age: number, half: number): number => 0.5 ** (Math.max(0, age) / half)

export type Draft = Omit<Candidate, 'subject' | 'member' | 'family' | 'tone'> & { change: number }
/** A test's answer in full. `change` is in the subject's own terms. */
export const drafted = (look: Look, { change, ...draft }: Draft): Candidate => ({
  ...draft,
  subject: look.subject.key,
  member: look.member,
  family: look.member === null ? 'total' : 'member',
  tone: toneOf(look.subject, change),
})
