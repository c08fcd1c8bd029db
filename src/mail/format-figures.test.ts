import { expect, it } from 'vitest'
import type { SentencePart } from '../shared/findings'
import { formatFindingSentence } from './format-figures'

it('tells several weeks as one range', () => {
  const about = { label: 'Sales', format: { style: 'plain' as const }, scale: null }
  const said = (from: string, to: string): string =>
    formatFindingSentence({ sentence: [{ period: { from, to, grain: 'week' } }], about }, { numberLocale: 'sv-SE' })
  expect(said('2018-02-19', '2018-04-02')).toBe('the weeks of 19 Feb – 2 Apr 2018')
  expect(said('2018-02-19', '2018-02-19')).toBe('the week of 19 Feb 2018')
})

it('writes the figures of a sentence alike', () => {
  const sentence: SentencePart[] = [
    { figure: '712.45', format: 'measure' },
    { text: ' vs ' },
    { figure: '630.5', format: 'measure' },
    { text: ': ' },
    { figure: '81.95', format: 'change' },
    { text: ', ' },
    { figure: 0.13, format: 'share' },
  ]
  const about = { label: 'Sales', format: { style: 'plain' as const }, scale: 2 }
  const said = formatFindingSentence({ sentence, about }, { numberLocale: 'sv-SE' })
  expect(said.replaceAll(/\s/g, ' ')).toBe('712,45 vs 630,50: +81,95, 13,0 %')
})

it('writes a figure by itself with the decimals that screens show', () => {
  const about = { label: 'Average Fee', format: { style: 'plain' as const }, scale: 2 }
  const sentence: SentencePart[] = [{ figure: '529.5', format: 'measure' }]
  expect(formatFindingSentence({ sentence, about }, { numberLocale: 'sv-SE' })).toBe('529,50')
})
