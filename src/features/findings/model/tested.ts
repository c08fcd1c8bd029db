import type { FoundEffect } from '../../../shared/findings'

/** The answers of all tests of one subject. */
export interface Tested {
  subject: string
  tests: number
  candidates: FoundEffect[]
}
