import { expect, it } from 'vitest'
import { formatFindingSentence } from './format-figures'

it('tells several weeks as one range', () => {
  const about = { format: { style: 'plain' as const } }
  const said = (from: string, to: string): string =>
    formatFindingSentence({ sentence: [{ period: { from, to, grain: 'week' } }], about }, { numberLocale: 'sv-SE' })
  expect(said('2018-02-19', '2018-04-02')).toBe('the weeks of 19 Feb – 2 Apr 2018')
  expect(said('2018-02-19', '2018-02-19')).toBe('the week of 19 Feb 2018')
})
