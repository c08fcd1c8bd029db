import { expect, it } from 'vitest'
import { singleBlanks } from './read-question'
import { interpret } from '../../features/bot/model/interpret'
import { askWorkshop } from '../../features/bot/model/workshop.fixture'

it('takes blanks in a row for one, and keeps lines apart', () => {
  expect(singleBlanks('  how\tmany \n\n  repairs\u00a0\u2003by  brand \n')).toBe('how many\nrepairs by brand')
})

it('reads a question full of blanks as fast as one without', async () => {
  const began = performance.now()
  for (const blank of [' ', '\n', '\t\n', ' \u00a0']) {
    const question = singleBlanks(`how many repairs${blank.repeat(980 / blank.length)}?`)
    expect(await interpret(askWorkshop(question))).toMatchObject({ kind: 'answer' })
  }
  expect(performance.now() - began).toBeLessThan(1_500)
})
