import { wordTable } from '../../../../lib/word-table'

/** What is long or short, and the units that such columns are called by. */
const EXTENTS = ['length', 'duration', 'runtime', 'running time', 'distance']
const TIMES = ['minutes', 'seconds', 'milliseconds', 'hours', 'days']

const PRICES = ['pris', 'price', 'timpris', 'kostnad', 'hyra', 'manadshyra', 'avgift']

/** Adjectives that say by which column: words of headings to look for, and which end comes first. */
export const ADJECTIVES: Readonly<Record<string, { words: string[]; dir: 'asc' | 'desc' }>> = wordTable({
  expensive: { words: ['price', 'cost', 'amount', 'fee', 'rent', 'rate'], dir: 'desc' },
  costly: { words: ['cost', 'price'], dir: 'desc' },
  valuable: { words: ['value', 'price', 'amount'], dir: 'desc' },
  cheapest: { words: ['price', 'cost', 'amount', 'fee', 'rent', 'rate'], dir: 'asc' },
  priciest: { words: ['price', 'cost', 'amount', 'fee'], dir: 'desc' },
  newest: { words: ['date', 'created', 'year'], dir: 'desc' },
  latest: { words: ['date', 'created', 'year'], dir: 'desc' },
  recent: { words: ['date', 'created', 'year'], dir: 'desc' },
  earliest: { words: ['date', 'created', 'year'], dir: 'asc' },
  oldest: {
    words: ['age', 'birth date', 'date of birth', 'birthday', 'birth year', 'year of birth', 'date', 'year'],
    dir: 'asc',
  },
  youngest: { words: ['age', 'birth date', 'date of birth', 'birthday', 'birth year', 'year of birth'], dir: 'asc' },
  populous: { words: ['population', 'inhabitants'], dir: 'desc' },
  populated: { words: ['population', 'inhabitants'], dir: 'desc' },
  longest: { words: [...EXTENTS, ...TIMES, 'pages', 'page count'], dir: 'desc' },
  shortest: { words: [...EXTENTS, 'height', ...TIMES, 'pages', 'page count'], dir: 'asc' },
  largest: { words: ['area', 'size', 'population', 'capacity', 'amount', 'value', 'order value'], dir: 'desc' },
  biggest: { words: ['area', 'size', 'population', 'capacity', 'amount', 'value', 'order value'], dir: 'desc' },
  smallest: { words: ['area', 'size', 'population', 'capacity', 'amount'], dir: 'asc' },
  storsta: { words: ['belopp', 'ordervarde', 'varde', 'summa', 'totalt', 'yta', 'amount', 'value'], dir: 'desc' },
  minsta: { words: ['belopp', 'ordervarde', 'varde', 'summa', 'totalt', 'yta', 'amount', 'value'], dir: 'asc' },
  richest: { words: ['wealth', 'income', 'balance', 'salary'], dir: 'desc' },
  fastest: { words: ['speed'], dir: 'desc' },
  slowest: { words: ['speed'], dir: 'asc' },
  deepest: { words: ['depth'], dir: 'desc' },
  dyrast: { words: PRICES, dir: 'desc' },
  billigast: { words: PRICES, dir: 'asc' },
  dyraste: { words: PRICES, dir: 'desc' },
  billigaste: { words: PRICES, dir: 'asc' },
  tallest: { words: ['height', 'elevation'], dir: 'desc' },
  highest: { words: ['height', 'elevation', 'altitude'], dir: 'desc' },
  lowest: { words: ['height', 'elevation', 'altitude'], dir: 'asc' },
  heaviest: { words: ['weight'], dir: 'desc' },
  rated: { words: ['rating', 'score'], dir: 'desc' },
  paid: { words: ['salary', 'wage', 'pay'], dir: 'desc' },
  /** "Payments over 100": what a thing amounts to. */
  amounting: { words: ['amount', 'total', 'price', 'value', 'cost', 'fee'], dir: 'desc' },
  popular: { words: [], dir: 'desc' },
  common: { words: [], dir: 'desc' },
  frequent: { words: [], dir: 'desc' },
})
export const ADJECTIVE = Object.keys(ADJECTIVES).join('|')
