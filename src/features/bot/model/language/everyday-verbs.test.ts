import { describe, expect, it } from 'vitest'
import { withEverydayVerbs } from './everyday-verbs'

describe('what people say by verbs', () => {
  it.each([
    ['Hur mycket köpte Lena i maj?', 'total försäljning för Lena i maj?'],
    ['Vad köpte Lena för?', 'total försäljning för Lena?'],
    ['Vad har Nordic AB handlat för hos oss i år?', 'total försäljning för Nordic AB i år?'],
    ['Vad har Lena dragit in i år?', 'total försäljning för Lena i år?'],
    ['Vad omsatte Malmö förra året?', 'total försäljning för Malmö förra året?'],
    ['Which customer spent the most?', 'Which customer has the highest revenue?'],
    ['Vilken kund har betalat mest?', 'Vilken kund har högst total försäljning?'],
    ['orders over 2 mkr', 'orders over 2000000'],
    ['Vilken kampanj drog in mest?', 'Vilken kampanj har högst total försäljning?'],
  ])('is said by nouns: %s', (question, plain) => {
    expect(withEverydayVerbs(question)).toBe(plain)
  })

  it.each([
    ['things that were bought or sold', ['Vad köpte Lena i maj?', 'Vad har Nordic AB beställt?', 'Vad sålde Lena?']],
    ['money that we spent ourselves', ['Where did we spend the most?', 'Vilken leverantör har vi betalat mest?']],
    [
      'money that is spent for us',
      ['Which department spent the most last month?', 'Vilken avdelning spenderade mest?'],
    ],
    ['metres', ['cables longer than 100 m', 'kablar över 5 m']],
  ])('is left as it is where it asks for %s', (_what, questions) => {
    expect(questions.map(withEverydayVerbs)).toEqual(questions)
  })
})
