import { describe, expect, it } from 'vitest'
import { describeStatistic } from '../../lib/findings/finding-text'
import { finding } from './findings.fixture'
import { createCellFormatter } from '../../../src/shared/figures/cell-formatter'
import { createFormatter } from '../../../src/shared/figures/formatter'

const format = createCellFormatter(
  createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC', dateLocale: 'sv-SE' }),
)

describe('what a finding was measured by', () => {
  it('is said in plain words of who came or went, and of a row of months', () => {
    const runs = { name: 'runs', value: 19 } as const
    expect(describeStatistic(finding({ kind: 'lostMember', statistic: runs, n: 36 }), format)).toBe(
      'Records in 19 of 36 months',
    )
    expect(describeStatistic(finding({ kind: 'streak', statistic: { name: 'runs', value: 6 } }), format)).toBe(
      '6 months in a row',
    )
  })
})
