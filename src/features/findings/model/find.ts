import type { FoundEffect } from '../../../shared/findings'
import type { Subject } from './subject'
import type { Tested } from './tested'

/**
 * Every test of one subject. Plain data, so that a run may keep the answers of its subjects until all were looked at
 * (one subject a slice), then {@link judge} them together.
 */
export function examine(subject: Subject): Tested {
  return { subject: subject.key, tests: 0, candidates: [] }
}

/** What stands up when all tests of a run are held together, best first. */
export function judge(tested: readonly Tested[]): FoundEffect[] {
  return tested.flatMap(({ candidates }) => candidates)
}
